import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { JWT_BEARER_GRANT } from '../../../src/protocol/constants.ts';
import { BASE, Harness, PROVIDER } from '../harness.ts';

const CLIENT = { client_id: 'client-a', client_secret: 'a-test-secret' };
const RESOURCE = `${BASE}/api/resource`;

let h: Harness;

beforeEach(async () => {
  h = await Harness.start({
    clients: [
      { id: CLIENT.client_id, secret: CLIENT.client_secret },
      { id: 'public-one', public: true },
    ],
  });
});

const claimsWith = (more: Record<string, unknown> = {}) => ({
  ...h.provider.idJagClaims(),
  client_id: CLIENT.client_id,
  resource: RESOURCE,
  scope: 'api.read',
  ...more,
});

const signed = (more: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  h.provider.sign(claimsWith(more), { typ: 'oauth-id-jag+jwt', ...header });

const redeem = (assertion: string, more: Record<string, string> = {}) =>
  h.form('/oauth2/token', { grant_type: JWT_BEARER_GRANT, assertion, ...CLIENT, ...more });

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An ID-JAG with a symmetric signature under a key that everybody knows. */
function keyedBy(secret: string): string {
  const input = `${encoded({ alg: 'HS256', typ: 'oauth-id-jag+jwt', kid: 'key-1' })}.${encoded(claimsWith())}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

async function publicKey() {
  const jwk = h.provider.keys.get('key-1')?.jwk ?? {};
  const key = await importJWK(jwk, 'ES256', { extractable: true });
  if (key instanceof Uint8Array) throw new TypeError('The key is no public key.');
  return { jwk: JSON.stringify(jwk), pem: await exportSPKI(key) };
}

describe('what is no ID-JAG of a trusted provider', () => {
  it.each<[string, () => Promise<string>]>([
    [
      'EMA-51 alg none',
      async () => `${encoded({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${encoded(claimsWith())}.`,
    ],
    ['EMA-51 HS256 keyed by the PEM', async () => keyedBy((await publicKey()).pem)],
    ['EMA-51 HS256 keyed by the JWK', async () => keyedBy((await publicKey()).jwk)],
    ['EMA-53 an ID token', () => signed({}, { typ: 'JWT' })],
    ['EMA-53 a token without typ', () => signed({}, { typ: undefined })],
    ['EMA-53 an access token', () => signed({}, { typ: 'at+jwt' })],
    ['EMA-53 a client assertion', () => signed({}, { typ: 'client-authentication+jwt' })],
    ['EMA-53 a security event', () => signed({}, { typ: 'secevent+jwt' })],
    ['EMA-55 iss with a final slash', () => signed({ iss: `${PROVIDER}/` })],
    ['EMA-55 iss in another case', () => signed({ iss: PROVIDER.toUpperCase() })],
    ['EMA-55 iss with a port', () => signed({ iss: `${PROVIDER}:443` })],
    ['EMA-55 iss with a suffix', () => signed({ iss: `${PROVIDER}.evil.test` })],
    ['EMA-84 crit', () => critical()],
    ['EMA-94 one for another server', () => signed({ aud: 'https://second.test' })],
  ])('%s: invalid_grant', async (_what, make) => {
    const { body, status } = await redeem(await make());
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });

  /** jose signs no header whose `crit` it does not know: signed here, so that `crit` alone is wrong. */
  async function critical(): Promise<string> {
    const key = h.provider.keys.get('key-1');
    if (key === undefined) throw new Error('The fake provider has no key.');
    const header = { alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'key-1', crit: ['x'], x: 1 };
    const input = `${encoded(header)}.${encoded(claimsWith())}`;
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
    const signature = await crypto.subtle.sign(algorithm, key.privateKey, Buffer.from(input));
    return `${input}.${Buffer.from(signature).toString('base64url')}`;
  }
});

describe('the keys of an ID-JAG', () => {
  it('EMA-85: asks again for a key that it does not know, and not at each', async () => {
    expect((await redeem(await signed())).status).toBe(200);
    await h.provider.addKey('key-2');
    await h.clock.advance(60_000);
    expect((await redeem(await signed({}, { kid: 'key-2' }))).status).toBe(200);
    const before = h.provider.fetches;
    for (let n = 0; n < 100; n += 1) await redeem(await signed({}, { kid: `random-${n}` }));
    expect(h.provider.fetches - before).toBeLessThanOrEqual(2);
  });
});

describe('an ID-JAG beside its request', () => {
  it('EMA-60: is taken from a public client where the configuration marks it, from no other', async () => {
    const redeemAs = async (id: string) =>
      h.form('/oauth2/token', {
        grant_type: JWT_BEARER_GRANT,
        assertion: await signed({ client_id: id }),
        client_id: id,
      });
    expect((await redeemAs('public-one')).status).toBe(200);
    const { body, status } = await redeemAs(CLIENT.client_id);
    expect([status, body['error']]).toEqual([401, 'invalid_client']);
  });

  it('EMA-87: is not read from the query', async () => {
    const query = new URLSearchParams({
      grant_type: JWT_BEARER_GRANT,
      assertion: await signed(),
    });
    expect((await h.send('GET', `/oauth2/token?${query}`)).status).toBe(405);
    const fields = { grant_type: JWT_BEARER_GRANT, ...CLIENT };
    const { body, status } = await h.form(`/oauth2/token?${query}`, fields);
    expect([status, body['error']]).toEqual([400, 'invalid_request']);
  });

  it('EMA-92: a foreign sub_id leads to no other account', async () => {
    const userOf = async (more: Record<string, unknown>) => {
      const { body } = await redeem(await signed({ sub: 'user-2', ...more }));
      return (await h.call(body['access_token'])).body['user'];
    };
    const subId = {
      format: 'saml-nameid',
      issuer: 'https://stranger.test',
      nameid: 'user-1',
    };
    expect(await userOf({ sub_id: subId })).toMatchObject({ iss: PROVIDER, sub: 'user-2' });
  });

  it('EMA-93: leaves nothing of itself in the log', async () => {
    for (const assertion of [await signed({ aud: 'https://x.test' }), await signed()]) {
      await redeem(assertion);
      expect(JSON.stringify(h.log.entries)).not.toContain(assertion.split('.')[2]);
    }
  });

  it('EMA-95, EMA-96: opens no resource itself, and the refusal says where to ask', async () => {
    for (const token of [await signed(), await signed({}, { typ: 'JWT' })]) {
      const { headers, status } = await h.call(token);
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/resource_metadata=".*error="invalid_token"/);
    }
    const { body } = await h.send('GET', '/.well-known/oauth-protected-resource/mcp');
    expect(body).toMatchObject({ resource: `${BASE}/mcp`, authorization_servers: [BASE] });
  });
});
