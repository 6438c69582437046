import { NoAnswer } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someRegistration } from '../../steps/new-registration.ts';

const DEPTH = 20_000;

/** Members that are added to a right body; whatever comes of it, nothing may break. */
const harmless = (name: string): readonly (readonly [what: string, member: string])[] => [
  ['lists in lists', `"${name}":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`],
  ['lists that are never closed', `"${name}":${'['.repeat(DEPTH)}`],
  ['objects in objects', `"${name}":${`{"${name}":`.repeat(DEPTH / 4)}1${'}'.repeat(DEPTH / 4)}`],
  ['a number beyond all numbers', `"${name}":1e999999`],
  ['a number of ten thousand digits', `"${name}":${'9'.repeat(10_000)}`],
  ['a member __proto__', `"__proto__":{"${name}":1}`],
  ['a member constructor', `"constructor":{"prototype":{"${name}":1}}`],
  ['five thousand members', Array.from({ length: 5000 }, (_, at) => `"${name}${at}":0`).join(',')],
];

const PROTOTYPES = [
  '{"__proto__":{"type":"anonymous"}}',
  '{"constructor":{"prototype":{"type":"anonymous"}}}',
];

export const hostileJson = serviceScenario({
  id: 'hostile-json',
  title: 'JSON that is made to break readers breaks nothing',
  checks: {
    survives: 'Deep, huge and odd members are taken or refused, and break nothing.',
    prototypes: 'No member is taken from a prototype that a body brings along.',
    duplicates: 'A member that decides and stands twice is refused.',
    'unstorable-text': 'Text with U+0000 or an unpaired surrogate is answered invalid_request.',
    'unknown-members': 'Members that are not known are ignored.',
  },
  async run(judge, world) {
    const { client, invented } = world;
    const url = client.endpoint('identityEndpoint');
    const right = () => JSON.stringify(someRegistration(world));
    const withMember = (member: string) => `${right().slice(0, -1)},${member}}`;
    const unknown = await client.postJson(
      url,
      withMember(`"${invented.member()}":{"${invented.word()}":[1]}`),
    );
    judge.expect('unknown-members', unknown.status === 200, unknown);
    for (const [what, member] of harmless(invented.member())) {
      const expected = `a body with ${what} is taken or refused`;
      try {
        const answer = await client.postJson(url, withMember(member));
        judge.expect('survives', answer.status < 500, answer, { expected });
      } catch (error) {
        if (!(error instanceof NoAnswer) || error.kind !== 'timeout') throw error;
        judge.expect('survives', false, error.message, { expected });
      }
    }
    for (const body of [...PROTOTYPES, '{}']) {
      const answer = await client.postJson(url, body);
      judge.expect('prototypes', !answer.ok, answer, {
        expected: `${body} is refused: it has no member \`type\``,
      });
    }
    const other = `"type":"${invented.word()}"`;
    const twice = await client.postJson(url, withMember(other));
    const reversed = await client.postJson(url, `{${other},${right().slice(1)}`);
    for (const answer of [twice, reversed]) {
      judge.expect(
        'duplicates',
        answer.refused,
        // RFC 8259 §4 leaves to the reader what becomes of them.
        answer,
        { warn: true },
      );
    }
    for (const text of ['\\u0000', 'a\\ud800b']) {
      const answer = await client.postJson(url, withMember(`"${invented.member()}":"${text}"`));
      judge.expect('unstorable-text', answer.errorCode === 'invalid_request', answer, {
        expected: `invalid_request for a text with ${text}`,
      });
    }
  },
});
