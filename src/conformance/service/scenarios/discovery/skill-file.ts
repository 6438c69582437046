import { NotApplicable } from '../../../engine/judge.ts';
import { mediaType } from '../../../engine/rows.ts';
import type { ServiceFacts } from '../../service-facts.ts';
import { serviceScenario } from '../../service-scenario.ts';

/** What the file has to cover; any of the words will do. */
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
  title: 'The skill file describes the procedure for agents',
  safe: true,
  checks: {
    served: 'The skill file is answered with 200, and is not HTML.',
    markdown: 'The skill file is sent as text/markdown.',
    procedure:
      'The skill file covers discovery, registration, claim, exchange, token use and revocation.',
    errors: 'The skill file covers errors.',
    addresses: 'The skill file has the identity, claim and token endpoint URLs of the metadata.',
  },
  async run(judge, world) {
    const { skill } = world.facts;
    if (skill === undefined) throw new NotApplicable('The service names no skill file.');
    const answer = await world.send(skill);
    const { text } = answer;
    const isMarkdown =
      answer.status === 200 && text.trim() !== '' && !/^\s*<(!doctype|html)/i.test(text);
    if (!judge.expect('served', isMarkdown, answer)) return;
    const missing = TOPICS.filter(([, words]) => !words.test(text)).map(([topic]) => topic);
    const unnamed = endpointsOf(world.facts).filter((url) => !text.includes(url));
    judge.table(answer, {
      markdown: mediaType('text/markdown'),
      procedure: { ok: missing.length === 0, seen: `Nothing on ${missing.join(', ')}.` },
      errors: { ok: /error|invalid_|\b4\d\d\b/i.test(text), seen: 'Nothing on errors.' },
      addresses: { ok: unnamed.length === 0, seen: `It does not name ${unnamed.join(', ')}.` },
    });
  },
});

function endpointsOf(facts: ServiceFacts): readonly string[] {
  return [facts.identityEndpoint, facts.claimEndpoint, facts.tokenEndpoint].filter(
    (url) => url !== undefined,
  );
}
