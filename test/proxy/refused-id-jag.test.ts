import { beforeEach, expect, it } from 'vitest';
import { JWT_BEARER_GRANT } from '../../src/protocol/constants.ts';
import { Explainer } from '../../src/traffic/index.ts';
import { BASE, Harness as ServiceHarness } from '../mock-service/harness.ts';
import { type Harness, LOCAL, proxyTo } from './harness.ts';

let h: ServiceHarness;
let harness: Harness;

beforeEach(async () => {
  h = await ServiceHarness.start();
  harness = await proxyTo({ [BASE]: (request) => h.service.fetch(request) }, { to: BASE });
  await harness.fetch(`${LOCAL}/.well-known/oauth-authorization-server`);
});

/** What the proxy says of a redemption by the client `a`. */
async function meaningOf(assertion: string): Promise<string | undefined> {
  const fields = { client_id: 'a', client_secret: 'a-test-secret' };
  await harness.fetch(`${LOCAL}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion, ...fields })}`,
  });
  const explainer = new Explainer();
  const { exchanges } = harness.exchanges.read();
  return exchanges.map((exchange) => explainer.explain(exchange).meaning).at(-1);
}

it.each([
  [{ aud: `${BASE}/` }, {}, `aud is "${BASE}/"; expected: ${BASE} alone`],
  [{ client_id: 'b' }, {}, 'client_id is "b"; expected: a, who sends it'],
  [{ exp: 1 }, {}, 'exp is 1; expected: later than 17'],
  [{ iat: 9_999_999_999 }, {}, 'iat is 9999999999; expected: not later than 17'],
  [{}, { typ: 'JWT' }, 'typ is "JWT"; expected: oauth-id-jag+jwt'],
  // What the wire does not show, nobody is told.
  [{ sub: '' }, {}, 'the grant is expired, revoked, superseded or unknown'],
])('the proxy says what is wrong with a refused ID-JAG: %o %o', async (claims, header, why) => {
  const good = { client_id: 'a', resource: `${BASE}/mcp` };
  const assertion = await h.provider.idJag({ ...good, ...claims }, header);
  expect(await meaningOf(assertion)).toContain(`invalid_grant: ${why}`);
});

it('the proxy says that an ID-JAG was redeemed before', async () => {
  const assertion = await h.provider.idJag({ client_id: 'a', resource: `${BASE}/mcp` });
  expect(await meaningOf(assertion)).toBe('ID-JAG redeemed: a token for api.read');
  expect(await meaningOf(assertion)).toMatch(/^invalid_grant: jti is ".*before$/);
});
