import { serviceScenario } from '../../service-scenario.ts';

const BODIES: readonly (readonly [what: string, body: string])[] = [
  ['no body', ''],
  ['a text that is not JSON', 'type=anonymous'],
  ['JSON that breaks off', '{"type":"anonymous"'],
  ['JSON with a comma too many', '{"type":"anonymous",}'],
  ['two objects', '{"type":"anonymous"}{"type":"anonymous"}'],
  ['a list', '[{"type":"anonymous"}]'],
  ['a text', '"anonymous"'],
  ['a number', '1'],
  ['null', 'null'],
  ['an object without members', '{}'],
];

export const malformedJson = serviceScenario({
  id: 'malformed-json',
  title: 'A body that is no JSON object is refused',
  checks: {
    refused: 'It is refused, and breaks nothing.',
    code: 'It is answered 400 invalid_request.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const urls = [client.endpoint('identityEndpoint'), facts.claimEndpoint];
    for (const url of urls.filter((each) => each !== undefined)) {
      for (const [what, body] of BODIES) {
        const answer = await client.postJson(url, body);
        const expected = `${what} at ${new URL(url).pathname} is refused`;
        judge.expect('refused', answer.refused, answer, { expected });
        const isNamed = answer.status === 400 && answer.errorCode === 'invalid_request';
        judge.expect('code', isNamed, answer, {
          expected: `400 invalid_request for ${what} at ${new URL(url).pathname}`,
        });
      }
    }
  },
});
