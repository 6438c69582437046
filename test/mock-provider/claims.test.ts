import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { ClaimRule } from '../../src/mock-provider/config/rules.ts';
import { decodeJwt } from '../../src/protocol/jwt.ts';
import { CodeClient } from '../support/code-client.ts';
import { Harness, ISSUER, SERVICE } from './harness.ts';

const ALICE = 'alice@example.com';
const claimsOf = (token: unknown) => decodeJwt(String(token))?.payload ?? {};

/** The tokens of a client that signs its user in, and the ID-JAG that it exchanges the ID token for. */
async function tokensOf(h: Harness, id: string, email = ALICE) {
  const credentials = { client_id: id, client_secret: 'a-test-secret' };
  const client = new CodeClient(
    {
      issuer: ISSUER,
      user: () => h.newUser(),
      form: async (path, fields) => (await h.form(path, fields)).body,
    },
    credentials,
  );
  const { id_token: idToken } = await client.signIn(email);
  const exchanged = await client.token({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token: String(idToken),
    audience: SERVICE,
  });
  return { idToken, idJag: exchanged['access_token'] };
}

describe('claims by configuration', () => {
  const start = (...claims: ClaimRule[]) =>
    Harness.start({ claims, clients: ['a', 'b'].map((id) => ({ id, secret: 'a-test-secret' })) });

  it('are another, more or fewer, in each kind of token', async () => {
    const h = await start(
      { of: 'id_token', claims: { acr: 'high', name: 'Somebody' } },
      { of: 'id_jag', claims: { aud: ['x', 'y'] }, omit: ['jti', 'kid'], header: { typ: 'JWT' } },
    );
    const { idJag, idToken } = await tokensOf(h, 'a');
    expect(claimsOf(idToken)).toMatchObject({ acr: 'high', name: 'Somebody', email: ALICE });
    expect(claimsOf(idJag)['aud']).toEqual(['x', 'y']);
    expect(claimsOf(idJag)).not.toHaveProperty('jti');
    expect(decodeProtectedHeader(String(idJag))).toEqual({ alg: 'ES256', typ: 'JWT' });
  });

  it('are for a user, a client and a service, and the last one that fits wins', async () => {
    const h = await start(
      { of: 'id_jag', claims: { x: 'all' } },
      { of: 'id_jag', client: 'b', claims: { x: 'of b' } },
      { of: 'id_jag', user: 'Bob@Example.com', claims: { x: 'of bob' } },
      { of: 'id_jag', audience: 'https://another.test', claims: { x: 'elsewhere' } },
    );
    const x = async (id: string, email: string) =>
      claimsOf((await tokensOf(h, id, email)).idJag)['x'];
    expect(await x('a', ALICE)).toBe('all');
    expect(await x('b', ALICE)).toBe('of b');
    expect(await x('b', 'bob@example.com')).toBe('of bob');
  });
});

describe('what signs', () => {
  it('D-12: publishes a key of ES256 beside RS256, and signs for a service as it is configured', async () => {
    const h = await Harness.start({
      algorithm: 'RS256',
      audiences: [{ issuer: SERVICE, algorithm: 'ES256' }, 'https://another.test'],
    });
    const { body } = await h.send('GET', '/.well-known/jwks.json');
    const keys = body['keys'] as unknown as Record<string, string>[];
    expect(keys.map(({ alg }) => alg).sort()).toEqual(['ES256', 'RS256']);
    expect(keys.flatMap((key) => Object.keys(key)).filter((name) => name === 'd')).toEqual([]);
    const algOf = async (audience: string) =>
      (await h.provider.mintIdJag({ email: ALICE, audience })).header['alg'];
    expect([await algOf(SERVICE), await algOf('https://another.test')]).toEqual(['ES256', 'RS256']);
    expect(decodeProtectedHeader(await h.signIn(ALICE)).alg).toBe('RS256');
  });
});

describe('an ID-JAG as it is asked', () => {
  it('is minted without a sign-in, consent or policy, and verifies', async () => {
    const h = await Harness.start({ policy: [{ refuse: 'access_denied' }] });
    const { claims, header, idJag } = await h.provider.mintIdJag({
      email: ALICE,
      audience: SERVICE,
      clientId: 'app',
      resources: [`${SERVICE}/mcp`],
      scopes: ['r'],
      claims: { exp: 1 },
      omit: ['auth_time'],
    });
    expect(claimsOf(idJag)).toEqual(claims);
    expect(claims).toMatchObject({
      iss: ISSUER,
      aud: SERVICE,
      client_id: 'app',
      resource: `${SERVICE}/mcp`,
      scope: 'r',
      email: ALICE,
      exp: 1,
    });
    expect(claims).not.toHaveProperty('auth_time');
    expect(header).toMatchObject({ alg: 'ES256', typ: 'oauth-id-jag+jwt' });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ audience: SERVICE }, 'email must be'],
    [{ email: ALICE }, 'audience must be'],
    [{ email: ALICE, audience: SERVICE, claims: [] }, 'claims must be a JSON object'],
    [{ email: ALICE, audience: SERVICE, omit: 'jti' }, 'omit must be a list'],
    [{ email: ALICE, audience: SERVICE, scope: '' }, 'scope must be'],
  ])('is refused over HTTP where the body is wrong: %j', async (body, text) => {
    const token = 'ctl_for-tests-alone-0123456789';
    const h = await Harness.start({ control: { token } });
    const answer = await h.send('POST', '/__mock/mint', {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.body['error_description']]).toEqual([
      400,
      expect.stringContaining(text),
    ]);
  });
});
