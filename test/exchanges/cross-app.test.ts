import { expect, it } from 'vitest';
import { Explainer } from '../../src/exchanges/index.ts';
import { JWT_BEARER_GRANT } from '../../src/protocol/constants.ts';
import { ISSUER, Harness as ProviderHarness } from '../mock-provider/harness.ts';
import { BASE, Harness } from '../mock-service/harness.ts';
import { CodeClient } from '../support/code-client.ts';

const SECRET = 'a-secret-of-the-client';

it('records a sign-in by code without its code and tokens, each step explained', async () => {
  const h = await ProviderHarness.start({ exchanges: 100 });
  const form = async (path: string, fields: Readonly<Record<string, string>>) =>
    (await h.form(path, fields)).body;
  const client = new CodeClient(
    { issuer: ISSUER, user: () => h.newUser(), form },
    { client_id: 'a', client_secret: SECRET },
  );
  const user = h.newUser();
  await user.openSignedIn(`${ISSUER}/login`, 'alice@example.com');
  const code = (await client.ask(user, { scope: 'openid offline_access' })).answer?.get('code');
  const tokens = await client.redeem(code ?? '');
  const { exchanges } = await h.provider.controls.exchanges();
  const steps = exchanges.map((each) => new Explainer().explain(each).step);
  expect(steps).toEqual(expect.arrayContaining(['authorize', 'redeem_code']));
  const shown = JSON.stringify(exchanges);
  const { access_token: access, id_token: idToken, refresh_token: refresh } = tokens;
  const secrets = [code, access, idToken, refresh, SECRET].map(String);
  expect(secrets.filter((each) => shown.includes(each))).toEqual([]);
});

it('records the redemption of an ID-JAG without its assertion and secret, explained', async () => {
  const h = await Harness.start({ exchanges: 100 });
  const assertion = await h.provider.idJag({ client_id: 'a', resource: `${BASE}/api/resource` });
  const basic = Buffer.from(`a:${SECRET}`).toString('base64');
  const { body } = await h.send('POST', '/oauth2/token', {
    body: new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion }),
    headers: { authorization: `Basic ${basic}` },
  });
  const { exchanges } = await h.service.controls.exchanges();
  expect(exchanges.map((each) => new Explainer().explain(each).step)).toEqual(['redeem']);
  const shown = JSON.stringify(exchanges);
  const secrets = [assertion, String(body['access_token']), basic, SECRET];
  expect(secrets.filter((each) => shown.includes(each))).toEqual([]);
});
