import { describe, expect, it } from 'vitest';
import { JWT_BEARER_GRANT } from '../../src/protocol/constants.ts';
import { Explainer, exchangeJson, readExchange } from '../../src/traffic/index.ts';
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

describe('what the record says of an exchange, and the wire does not', () => {
  const redeem = async (h: Harness, assertion: string, authorization: string) => {
    const { body } = await h.send('POST', '/oauth2/token', {
      body: new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion }),
      headers: { authorization },
    });
    const { exchanges } = await h.service.controls.exchanges();
    const [last] = exchanges.slice(-1);
    if (last === undefined) throw new Error('Nothing was recorded.');
    return { body, exchange: last, meaning: new Explainer().explain(last).meaning };
  };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it.each([
    [{ aud: `${BASE}/` }, `aud is "${BASE}/"; expected: ${BASE} alone, without a final slash`],
    [{ client_id: 'b' }, 'client_id is "b"; expected: a'],
    [{ sub: undefined }, 'sub is missing; expected: of the type that ID-JAG §3.1 has'],
    [{ iss: 'https://b.test' }, 'iss is "https://b.test"; expected: a trusted provider: '],
    [{ exp: 1 }, 'exp is 1; expected: `exp` is in the future. It is 17'],
    [{ resource: 'https://b.test/mcp' }, 'resource is "https://b.test/mcp"; expected: '],
    [{ scope: 'unheard-of' }, 'scope is "unheard-of"; expected: some of api.read'],
  ])('D-14: why an ID-JAG with %o was refused', async (claims, why) => {
    const h = await Harness.start({ exchanges: 100 });
    const assertion = await h.provider.idJag({ client_id: 'a', resource: BASE, ...claims });
    const { body, exchange, meaning } = await redeem(h, assertion, basic(`a:${SECRET}`));
    expect(meaning).toContain(`invalid_grant: ${why}`);
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description: 'The grant is expired, revoked, superseded or unknown.',
    });
    expect(readExchange(exchangeJson(exchange))).toEqual(exchange);
    const shown = JSON.stringify(exchange);
    expect([assertion, SECRET].filter((each) => shown.includes(each))).toEqual([]);
  });

  it.each([
    ['typ', 'typ is "JWT"; expected: oauth-id-jag+jwt'],
    ['signature', 'kid is "'],
    ['jti', 'jti is "'],
  ])('why an ID-JAG was refused by its %s', async (what, why) => {
    const h = await Harness.start({ exchanges: 100 });
    const header = what === 'typ' ? { typ: 'JWT' } : {};
    const right = await h.provider.idJag({ client_id: 'a', resource: BASE }, header);
    const assertion = what === 'signature' ? `${right.slice(0, -4)}AAAA` : right;
    if (what === 'jti') await redeem(h, assertion, basic('a:b'));
    expect((await redeem(h, assertion, basic('a:b'))).meaning).toContain(`invalid_grant: ${why}`);
  });

  it('D-21: that Basic credentials were not form-encoded, and which client was refused how', async () => {
    const client = { id: 'a', secret: 'a%zz+b' };
    const h = await Harness.start({ exchanges: 100, clients: [client] });
    const idJag = () => h.provider.idJag({ client_id: 'a', resource: BASE });
    const raw = await redeem(h, await idJag(), basic('a:a%zz+b'));
    expect(raw.exchange.notes?.map(({ event }) => event)).toEqual(['client.unencoded']);
    const encoded = await redeem(h, await idJag(), basic('a:a%25zz%2Bb'));
    expect([encoded.exchange.status, encoded.exchange.notes]).toEqual([200, undefined]);
    const wrong = await redeem(h, await idJag(), basic('a:wrong-secret'));
    expect(wrong.exchange.notes).toEqual([
      { event: 'client.refused', fields: { code: 'invalid_client', presented: 'basic' } },
    ]);
    expect(JSON.stringify([raw, wrong])).not.toMatch(/zz|wrong-secret/);
  });
});
