import { NotApplicable } from '../../../engine/judge.ts';
import type { ServiceFacts } from '../../service-facts.ts';
import { serviceScenario } from '../../service-scenario.ts';

/** What the file has to speak of; any of the words will do. */
const TOPICS: readonly (readonly [topic: string, words: RegExp])[] = [
  ['discovery', /discover|well-known|metadata/i],
  ['registration', /regist|enrol|sign[ -]?up/i],
  ['the claim', /claim/i],
  ['the exchange', /exchange|jwt-bearer|grant_type/i],
  ['use of the token', /bearer|authorization/i],
  ['revocation', /revo[ck]/i],
];

export const skillFile = serviceScenario({
  id: 'skill-file',
  title: 'A file tells agents what to do',
  safe: true,
  checks: {
    served: 'The skill file is there, and is no web page.',
    markdown: 'It is sent as text/markdown.',
    procedure: 'It tells the procedure from discovery to revocation.',
    errors: 'It speaks of errors.',
    addresses: 'It names the endpoints by their true addresses.',
  },
  async run(judge, world) {
    const { skill } = world.facts;
    if (skill === undefined) throw new NotApplicable('The service names no skill file.');
    const answer = await world.send(skill);
    const { text } = answer;
    const at = { exchange: answer.exchange };
    const isText =
      answer.status === 200 && text.trim() !== '' && !/^\s*<(!doctype|html)/i.test(text);
    judge.expect('served', isText, answer);
    if (!isText) return;
    judge.expect(
      'markdown',
      answer.mediaType === 'text/markdown',
      `Content-Type: ${answer.header('content-type') ?? 'none'}`,
      { ...at },
    );
    const missing = TOPICS.filter(([, words]) => !words.test(text)).map(([topic]) => topic);
    judge.expect('procedure', missing.length === 0, `Nothing on ${missing.join(', ')}.`, {
      expected: TOPICS.map(([topic]) => topic).join(', '),
      ...at,
    });
    judge.expect('errors', /error|invalid_|\b4\d\d\b/i.test(text), 'None.', at);
    const unnamed = endpointsOf(world.facts).filter((url) => !text.includes(url));
    judge.expect('addresses', unnamed.length === 0, `It does not name ${unnamed.join(', ')}.`, {
      ...at,
    });
  },
});

function endpointsOf(facts: ServiceFacts): readonly string[] {
  return [facts.identityEndpoint, facts.claimEndpoint, facts.tokenEndpoint].filter(
    (url) => url !== undefined,
  );
}
