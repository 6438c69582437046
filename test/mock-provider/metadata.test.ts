import { calculateJwkThumbprint, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  authorizationServerMetadata,
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/index.ts';
import { Harness, ISSUER, open } from './harness.ts';

const METADATA = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

describe('what the provider publishes', () => {
  it.each([METADATA, OPENID, '/.well-known/jwks.json', '/agent-auth.json'])(
    '%s is for everybody, and may be kept for a while',
    async (path) => {
      const { headers, status } = await (await Harness.start()).send('GET', path);
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cache-control')).toBe('public, max-age=300');
    },
  );

  it('says where and how to sign in and to mint', async () => {
    const { body, headers } = await (await Harness.start()).send('GET', METADATA);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toEqual({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      authorization_endpoint: `${ISSUER}/oauth2/authorize`,
      token_endpoint: `${ISSUER}/oauth2/token`,
      device_authorization_endpoint: `${ISSUER}/oauth2/device_authorization`,
      userinfo_endpoint: `${ISSUER}/oauth2/userinfo`,
      consent_revocation_endpoint: `${ISSUER}/oauth2/consents/revoke`,
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        DEVICE_CODE_GRANT,
        TOKEN_EXCHANGE_GRANT,
      ],
      identity_chaining_requested_token_types_supported: [ID_JAG_TOKEN_TYPE],
      scopes_supported: ['openid', 'email', 'profile', 'phone', 'offline_access'],
      claims_supported: [
        ...['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'email', 'email_verified', 'name'],
        ...['phone_number', 'phone_number_verified'],
      ],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'EdDSA', 'RS256', 'PS256'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      request_uri_parameter_supported: false,
    });
    expect(authorizationServerMetadata.safeParse(body).success).toBe(true);
  });

  it('says the same at both well-known paths (RFC 8414 §5)', async () => {
    const harness = await Harness.start();
    const [oauth, openid] = [
      await harness.send('GET', METADATA),
      await harness.send('GET', OPENID),
    ];
    expect(openid.body).toEqual(oauth.body);
    expect(openid.headers.get('content-type')).toBe('application/json');
  });

  it.each(['ES256', 'EdDSA'] as const)('names %s where it signs with that', async (algorithm) => {
    const harness = await Harness.start({ algorithm });
    const { body } = await harness.send('GET', OPENID);
    const { header } = open(await harness.signIn());
    expect(body['id_token_signing_alg_values_supported']).toEqual([header['alg']]);
    expect(header['alg']).toBe(algorithm);
  });

  it('takes every grant that it lists, and no other', async () => {
    const harness = await Harness.start();
    const { body } = await harness.send('GET', METADATA);
    const token = (grant_type: string) =>
      harness.form('/oauth2/token', { grant_type, client_id: 'agent-auth' });
    for (const grant of body['grant_types_supported'] as string[]) {
      expect((await token(grant)).body['error']).toBe('invalid_request');
    }
    for (const grant of [JWT_BEARER_GRANT, 'client_credentials', '__proto__']) {
      expect((await token(grant)).body['error']).toBe('unsupported_grant_type');
    }
  });

  it('describes its agent under the URL of the description (CIM-01)', async () => {
    const { body } = await (await Harness.start({ clientName: 'Helper' })).send(
      'GET',
      '/agent-auth.json',
    );
    expect(body).toMatchObject({
      client_id: `${ISSUER}/agent-auth.json`,
      client_name: 'Helper',
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      token_endpoint_auth_method: 'none',
    });
    // ASM-16: the grant profile stands for these two grants.
    expect(body['authorization_grant_profiles_supported']).toEqual([ID_JAG_GRANT_PROFILE]);
    expect(body['grant_types']).toEqual([TOKEN_EXCHANGE_GRANT, JWT_BEARER_GRANT]);
    expect(JSON.stringify(body)).not.toMatch(/secret|"d"|private/);
  });

  it('shows public keys alone, under their thumbprint [AR-EP-11]', async () => {
    const harness = await Harness.start();
    const { headers } = await harness.send('GET', '/.well-known/jwks.json');
    expect(headers.get('content-type')).toBe('application/jwk-set+json');
    const { keys } = await harness.jwks();
    expect(keys).toHaveLength(1);
    for (const key of keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key.kid).toBe(await calculateJwkThumbprint(key as JWK));
    }
  });

  it('never takes a URL from a request (A-41, A-42)', async () => {
    const harness = await Harness.start();
    const request = new Request(`https://evil.example${METADATA}`, {
      headers: { 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    });
    expect(await (await harness.provider.fetch(request)).text()).not.toContain('evil.example');
    const device = await harness.provider.fetch(
      new Request('https://evil.example/oauth2/device_authorization', {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'agent-auth' }),
      }),
    );
    expect(await device.text()).not.toContain('evil.example');
  });
});

describe('the options', () => {
  it.each([
    ['a base URL with a path', { baseUrl: 'https://provider.test/base' }],
    ['a base URL that is none', { baseUrl: 'provider.test' }],
    ['an audience over plain http', { audiences: ['http://service.test'] }],
    ['an audience with a query', { audiences: ['https://service.test/?a=b'] }],
    ['an auto-approved user without an email', { autoApprove: 'alice' }],
    ['a user without an email', { users: [{ email: 'alice' }] }],
    ['a user with an odd phone number', { users: [{ email: 'a@b.example', phone: '0123' }] }],
  ])('refuse %s with a sentence', async (_what, options) => {
    await expect(Harness.start(options)).rejects.toThrow(TypeError);
  });

  it('take one spelling of the issuer: without a final slash', async () => {
    const harness = await Harness.start({ baseUrl: `${ISSUER}/` });
    expect(harness.provider.issuer).toBe(ISSUER);
  });
});
