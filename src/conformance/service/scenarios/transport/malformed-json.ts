import { errorCode, refused, status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';

const BODIES: readonly (readonly [what: string, body: string])[] = [
  ['an empty body', ''],
  ['text that is not JSON', 'type=anonymous'],
  ['truncated JSON', '{"type":"anonymous"'],
  ['JSON with a trailing comma', '{"type":"anonymous",}'],
  ['two objects', '{"type":"anonymous"}{"type":"anonymous"}'],
  ['an array', '[{"type":"anonymous"}]'],
  ['a string', '"anonymous"'],
  ['a number', '1'],
  ['null', 'null'],
  ['an object without members', '{}'],
];

export const malformedJson = serviceScenario({
  id: 'malformed-json',
  title: 'A malformed JSON body is refused',
  checks: {
    refused: 'A malformed JSON body is answered with a 4xx status.',
    code: 'A malformed JSON body is answered 400 invalid_request.',
  },
  restsOn: { code: 'malformed-json.refused' },
  async run(judge, world) {
    const { client, facts } = world;
    await mustTakeRegistrations(world);
    const urls = [client.endpoint('identityEndpoint'), facts.claimEndpoint];
    for (const url of urls.filter((each) => each !== undefined)) {
      for (const [what, body] of BODIES) {
        const answer = await client.postJson(url, body);
        judge.table(
          answer,
          { refused, code: [status(400), errorCode('invalid_request')] },
          { case: `${what} at ${new URL(url).pathname}` },
        );
      }
    }
  },
});
