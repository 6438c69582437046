import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { someAssertion, someRegistration } from '../../steps/new-registration.ts';

const NO_JSON: readonly (string | undefined)[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  undefined,
];
const JSON_SPELLINGS = ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'];
const FORM_SPELLINGS = [
  'application/x-www-form-urlencoded; charset=utf-8',
  'Application/X-WWW-Form-Urlencoded',
];

export const mediaTypes = serviceScenario({
  id: 'media-types',
  title: 'Bodies are read by their media type',
  checks: {
    'json-alone': 'The identity endpoint answers a body of another type than JSON with 415.',
    'form-alone': 'Token and revocation endpoint refuse a body that is no form.',
    'form-status': 'They answer it with 415.',
    spellings: 'A media type may have parameters and capital letters.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const json = JSON.stringify(someRegistration(world));
    for (const type of NO_JSON) {
      const answer = await post(world, client.endpoint('identityEndpoint'), type, json);
      judge.expect('json-alone', answer.status === 415, answer, {
        expected: `415 for ${type ?? 'a body without a media type'}`,
      });
    }
    for (const type of JSON_SPELLINGS) {
      const body = JSON.stringify(someRegistration(world));
      const answer = await post(world, client.endpoint('identityEndpoint'), type, body);
      judge.expect('spellings', answer.status !== 415 && answer.status < 500, answer, {
        expected: `${type} is JSON`,
      });
    }
    const assertion = await someAssertion(world);
    const members = { grant_type: JWT_BEARER_GRANT, assertion };
    const endpoint = client.endpoint('tokenEndpoint');
    const asJson = await post(world, endpoint, 'application/json', JSON.stringify(members));
    judge.expect(
      'form-alone',
      asJson.refused && asJson.string('access_token') === undefined,
      asJson,
    );
    judge.expect('form-status', asJson.status === 415, asJson);
    for (const type of FORM_SPELLINGS) {
      const body = new URLSearchParams(members).toString();
      const answer = await post(world, endpoint, type, body);
      judge.expect('spellings', answer.status !== 415 && answer.status < 500, answer, {
        expected: `${type} is a form`,
      });
    }
    if (facts.revocationEndpoint === undefined) return;
    const body = JSON.stringify({ token: world.invented.token() });
    const revoked = await post(world, facts.revocationEndpoint, 'application/json', body);
    judge.expect('form-alone', revoked.refused, revoked);
    judge.expect('form-status', revoked.status === 415, revoked);
  },
});

function post(
  world: ServiceWorld,
  url: string,
  type: string | undefined,
  body: string,
): Promise<Answer> {
  const headers: HeaderList = type === undefined ? [] : [['content-type', type]];
  return world.send(url, { method: 'POST', from: 'agent', headers, body });
}
