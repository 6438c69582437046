import { beforeEach, describe, expect, it } from 'vitest';
import { findChallenge } from '../../src/protocol/index.ts';
import { BASE, Harness } from './harness.ts';

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});

describe('protected resource metadata', () => {
  it.each(['/api/resource', '/api/resource/', '/api/resource/deep/er', '/api/resource/%7Ea'])(
    'names exactly the resource that its own URL was derived from: %s',
    async (path) => {
      const { body } = await h.send('GET', `/.well-known/oauth-protected-resource${path}?q=1`);
      expect(body['resource']).toBe(BASE + path);
    },
  );

  it('exists for protected paths alone', async () => {
    const { status } = await h.send('GET', '/.well-known/oauth-protected-resource/api/resources');
    expect(status).toBe(404);
  });
});

describe('authorization server metadata', () => {
  const metadata = async () =>
    (await h.send('GET', '/.well-known/oauth-authorization-server')).body;

  it('takes every label that it was given, in the URIs of grants and events', async () => {
    h = await Harness.start({ vendor: ['acme', 'vendor'], eventBase: 'https://events.test/' });
    const document = await metadata();
    expect(document['grant_types_supported']).toEqual([
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:acme:agent-auth:grant-type:claim',
      'urn:vendor:agent-auth:grant-type:claim',
    ]);
    expect(document['agent_auth']).toMatchObject({
      events_supported: ['https://events.test/events/agent/auth/identity/assertion/revoked'],
    });
  });

  it('does not list a type that is switched off', async () => {
    h = await Harness.start({ identityTypes: ['anonymous'] });
    const document = await metadata();
    expect(document).not.toHaveProperty('authorization_grant_profiles_supported');
    expect(document['agent_auth']).toMatchObject({ identity_types_supported: ['anonymous'] });
    expect(document['agent_auth']).not.toHaveProperty('identity_assertion');
  });

  it('takes no URL from the request (A-41, A-42)', async () => {
    const { body } = await h.send('GET', '/.well-known/oauth-authorization-server', {
      headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' },
    });
    expect(JSON.stringify(body)).not.toContain('evil');
  });
});

describe('the protected resource', () => {
  it('leads from the challenge to the agent_auth block in two hops [AR-DOES-6]', async () => {
    let metadata = await h.send('GET', '/api/resource');
    for (const path of ['/api/resource/', '/api/resource/deep']) {
      const challenged = await h.send('GET', `${path}?q=1`);
      const field = challenged.headers.get('www-authenticate') ?? '';
      const url = findChallenge(field, 'bearer')?.params['resource_metadata'] ?? '';
      metadata = await h.send('GET', url.slice(BASE.length));
      expect(metadata.body['resource']).toBe(BASE + path);
    }
    expect(metadata.body['authorization_servers']).toEqual([BASE]);
    const server = await h.send('GET', '/.well-known/oauth-authorization-server');
    expect(server.body).toHaveProperty('agent_auth');
  });

  it.each([
    ['unknown', 'Bearer at_unknown'],
    ['malformed', 'Bearer not a token'],
    ['empty', 'Bearer '],
    ['of two', 'Bearer a, Bearer b'],
  ])('answers a token that is %s with invalid_token', async (_what, authorization) => {
    const { headers, status } = await h.send('GET', '/api/resource', {
      headers: { authorization },
    });
    expect(status).toBe(401);
    const { params } = findChallenge(headers.get('www-authenticate') ?? '', 'Bearer') ?? {};
    expect(params?.['error']).toBe('invalid_token');
  });

  it.each(['Basic YTpi', 'at_plain'])('treats %s as no bearer token', async (authorization) => {
    const { headers } = await h.send('GET', '/api/resource', { headers: { authorization } });
    const { params } = findChallenge(headers.get('www-authenticate') ?? '', 'Bearer') ?? {};
    expect(params).not.toHaveProperty('error');
  });

  it('takes no token from the query', async () => {
    const { body } = await h.register({ type: 'anonymous' });
    const token = (await h.exchange(body['identity_assertion'])).body['access_token'];
    const { status } = await h.send('GET', `/api/resource?access_token=${String(token)}`);
    expect(status).toBe(401);
  });
});

describe('the skill file', () => {
  it('says only what is configured [AR-DOES-5]', async () => {
    h = await Harness.start({ identityTypes: ['service_auth'], lifetimes: { userCode: 120_000 } });
    const { body, headers } = await h.send('GET', '/auth.md');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = String(body['text']);
    for (const section of [
      'Discover',
      'Register',
      'Claim',
      'Exchange',
      'Use',
      'Handle revoke',
      'Errors',
    ]) {
      expect(text).toContain(`\n## ${section}\n`);
    }
    expect(text).toContain(`${BASE}/agent/identity/claim`);
    expect(text).toContain('2 minutes');
    expect(text).toContain('\n### service_auth');
    expect(text).not.toContain('\n### anonymous');
  });
});

describe('paths and methods', () => {
  it.each([
    ['GET', '/agent/identity', 'POST'],
    ['PUT', '/oauth2/token', 'POST'],
    ['DELETE', '/api/resource', 'GET, HEAD, POST'],
    ['POST', '/.well-known/oauth-authorization-server', 'GET, HEAD'],
  ])('answers %s %s with 405 and what is allowed', async (method, path, allow) => {
    const { headers, status, body } = await h.send(method, path);
    expect(status).toBe(405);
    expect(headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow);
    expect(body).toHaveProperty('error');
  });

  it('answers an unknown path with a JSON 404', async () => {
    const { status, body } = await h.send('GET', '/nothing/here');
    expect(status).toBe(404);
    expect(body['error']).toBe('not_found');
  });

  it('answers HEAD like GET, without the body', async () => {
    const { status, body, headers } = await h.send(
      'HEAD',
      '/.well-known/oauth-authorization-server',
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/json/);
    expect(body).toEqual({});
  });
});
