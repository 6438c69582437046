import { beforeEach, describe, expect, it } from 'vitest';
import {
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/constants.ts';
import { decodeJwt } from '../../src/protocol/jwt.ts';
import { CodeClient, REDIRECT } from '../support/code-client.ts';
import { Harness, ISSUER } from './harness.ts';

const AUDIENCE = 'https://service.test';
const CLIENT = { client_id: 'a', client_secret: 'secret-of-a' };

let h: Harness;
let idToken: string;

beforeEach(async () => {
  h = await Harness.start({
    clients: [{ id: 'a', secret: CLIENT.client_secret, redirectUris: [REDIRECT] }],
    audiences: [AUDIENCE],
    users: [
      { email: 'alice@example.com', tenant: 'blue' },
      { email: 'bob@example.com', tenant: 'red' },
    ],
  });
  idToken = await signIn('alice@example.com');
});

async function signIn(email: string): Promise<string> {
  const form = async (path: string, fields: Record<string, string>) =>
    (await h.form(path, fields)).body;
  const client = new CodeClient({ issuer: ISSUER, user: () => h.newUser(), form }, CLIENT);
  return String((await client.signIn(email))['id_token']);
}

/** A good exchange, with parameters added to it: those that it has come twice. */
function exchange(subject = idToken, more: readonly (readonly [string, string])[] = []) {
  const body = new URLSearchParams({
    ...CLIENT,
    grant_type: TOKEN_EXCHANGE_GRANT,
    requested_token_type: ID_JAG_TOKEN_TYPE,
    subject_token: subject,
    subject_token_type: ID_TOKEN_TYPE,
    audience: AUDIENCE,
  });
  for (const [name, value] of more) body.append(name, value);
  return h.send('POST', '/oauth2/token', { body });
}

const claimsOf = (token: unknown) => decodeJwt(String(token))?.payload ?? {};

describe('the metadata of an identity provider', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'EMA-01, EMA-02, EMA-03: %s has its issuer, the ID-JAG and S256 alone',
    async (name) => {
      const { body } = await h.send('GET', `/.well-known/${name}`);
      expect(body).toMatchObject({
        issuer: ISSUER,
        code_challenge_methods_supported: ['S256'],
        identity_chaining_requested_token_types_supported: [ID_JAG_TOKEN_TYPE],
      });
    },
  );

  it('EMA-15: publishes the key of each token, and nothing private', async () => {
    const { body: metadata } = await h.send('GET', '/.well-known/openid-configuration');
    const { body } = await h.send('GET', new URL(String(metadata['jwks_uri'])).pathname);
    const keys = body['keys'] as readonly Record<string, unknown>[];
    const idJag = String((await exchange()).body['access_token']);
    for (const token of [idToken, idJag]) {
      expect(keys.map(({ kid }) => kid)).toContain(decodeJwt(token)?.header['kid']);
    }
    for (const key of keys) {
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) {
        expect(key).not.toHaveProperty(secret);
      }
    }
  });
});

describe('an ID-JAG of a configured provider', () => {
  it('EMA-38, EMA-39: has the tenant of its user, and no more of the person than an email', async () => {
    const claims = claimsOf((await exchange()).body['access_token']);
    expect(claims).toMatchObject({ tenant: 'blue' });
    expect(claims).not.toHaveProperty('name');
    expect(claims).not.toHaveProperty('phone_number');
    const bob = await exchange(await signIn('bob@example.com'));
    expect(claimsOf(bob.body['access_token'])).toMatchObject({ tenant: 'red' });
  });

  it('EMA-43: sends a user to sign in again where that helps, and nobody else', async () => {
    const policy = [{ audience: AUDIENCE, maxAge: 60, scopes: ['api.read'] }];
    h = await Harness.start({ clients: [{ id: 'a', secret: CLIENT.client_secret }], policy });
    const old = await signIn('alice@example.com');
    expect((await exchange(old)).status).toBe(200);
    await h.clock.advance(61_000);
    const { body, status } = await exchange(old, [['scope', 'api.read']]);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: 'insufficient_user_authentication', max_age: 60 }),
    ]);
    expect((await exchange(old, [['scope', 'api.write']])).body['error']).toBe('invalid_scope');
    expect((await exchange(await signIn('alice@example.com'))).status).toBe(200);
  });

  it('EMA-16: a new key is published before it signs, the old one while its tokens live', async () => {
    const kids = async () => {
      const { body } = await h.send('GET', '/.well-known/jwks.json');
      return (body['keys'] as { kid: string }[]).map(({ kid }) => kid);
    };
    const kidOf = (token: unknown) => String(decodeJwt(String(token))?.header['kid']);
    const before = kidOf(idToken);
    const { kid: next, signsFrom } = await h.provider.controls.rotateKeys();
    expect(kidOf((await exchange()).body['access_token'])).toBe(before);
    expect(await kids()).toEqual(expect.arrayContaining([before, next]));
    await h.clock.advance(signsFrom - h.clock.now());
    const afterwards = await exchange();
    expect([afterwards.status, kidOf(afterwards.body['access_token'])]).toEqual([200, next]);
    expect(await kids()).toContain(before);
    const day = 24 * 3_600_000;
    await h.clock.advance(day);
    expect(await kids()).toEqual([next]);
  });

  it('EMA-42: is refused as JSON that nobody stores', async () => {
    const { body, headers, status } = await exchange('no-token');
    expect([status, headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({ error: 'invalid_grant', error_description: expect.any(String) });
  });

  it('EMA-44: buys nothing where it was issued', async () => {
    const assertion = String((await exchange()).body['access_token']);
    const fields = { ...CLIENT, grant_type: JWT_BEARER_GRANT, assertion };
    const { body, status } = await h.form('/oauth2/token', fields);
    expect([status, body['access_token']]).toEqual([400, undefined]);
  });

  it.each(['audience', 'subject_token', 'client_id'])(
    'EMA-46: is refused where %s comes twice',
    async (name) => {
      expect((await exchange(idToken, [[name, 'x']])).body['error']).toBe('invalid_request');
    },
  );
});
