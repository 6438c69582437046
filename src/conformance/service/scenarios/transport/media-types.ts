import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { refused, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { noToken } from '../../steps/answers.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
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
  title: 'Bodies are read according to their media type',
  checks: {
    'json-alone': 'The identity endpoint answers a body of another type than JSON with 415.',
    'form-alone': 'The token and revocation endpoints refuse a JSON body.',
    'form-status': 'The token and revocation endpoints answer a JSON body with 415.',
    spellings: 'A media type may have parameters and capital letters.',
  },
  restsOn: { 'form-status': 'media-types.form-alone' },
  async run(judge, world) {
    const { client, facts } = world;
    await mustTakeRegistrations(world);
    const json = JSON.stringify(someRegistration(world));
    const identity = client.endpoint('identityEndpoint');
    for (const type of NO_JSON) {
      const answer = await post(world, identity, type, json);
      judge.table(answer, { 'json-alone': status(415) }, { case: type ?? 'no media type' });
    }
    for (const type of JSON_SPELLINGS) {
      const body = JSON.stringify(someRegistration(world));
      judge.table(await post(world, identity, type, body), { spellings: isRead }, { case: type });
    }
    const assertion = await someAssertion(world);
    await world.accessToken(assertion);
    const members = { grant_type: JWT_BEARER_GRANT, assertion };
    const endpoint = client.endpoint('tokenEndpoint');
    const asJson = await post(world, endpoint, 'application/json', JSON.stringify(members));
    judge.table(
      asJson,
      { 'form-alone': noToken, 'form-status': status(415) },
      { case: new URL(endpoint).pathname },
    );
    for (const type of FORM_SPELLINGS) {
      const body = new URLSearchParams(members).toString();
      judge.table(await post(world, endpoint, type, body), { spellings: isRead }, { case: type });
    }
    if (facts.revocationEndpoint === undefined) return;
    const body = JSON.stringify({ token: world.invented.token() });
    const revoked = await post(world, facts.revocationEndpoint, 'application/json', body);
    judge.table(
      revoked,
      { 'form-alone': refused, 'form-status': status(415) },
      { case: new URL(facts.revocationEndpoint).pathname },
    );
  },
});

const isRead = (answer: Answer) => ({ ok: answer.status !== 415 && answer.status < 500 });

function post(
  world: ServiceWorld,
  url: string,
  type: string | undefined,
  body: string,
): Promise<Answer> {
  const headers: HeaderList = type === undefined ? [] : [['content-type', type]];
  return world.send(url, { method: 'POST', from: 'agent', headers, body });
}
