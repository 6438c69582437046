import { describe, expect, it } from 'vitest';
import type {
  MockServiceOptions,
  ResourceOptions,
  ScopeOptions,
} from '../../src/mock-service/index.ts';
import { BASE, Harness } from './harness.ts';

const SHOP: readonly ResourceOptions[] = [
  { path: '/v1/orders', scope: 'orders.read', body: [{ id: 7 }] },
  { path: '/v1/orders', method: 'POST', scope: 'orders.write', status: 201 },
  { path: '/v1/orders/{id}', scope: 'orders.read', body: { id: 7 } },
  { path: '/v1/orders/{id}', method: 'PUT', scope: 'orders.write' },
  { path: '/v1/orders/{id}', method: 'PATCH', scope: 'orders.write' },
  { path: '/v1/orders/{id}', method: 'DELETE', scope: 'orders.write orders.read', status: 204 },
  { path: '/v1/orders/search', method: 'POST', scope: 'orders.read', body: 'none' },
  { path: '/files/*', scope: 'files' },
  { path: '/health', open: true, body: { ok: true } },
  { path: '/me' },
];

/** A service, with the token of an anonymous registration before and after its claim. */
async function start(options: Partial<MockServiceOptions> = { resources: SHOP }) {
  const harness = await Harness.start(options);
  const { body } = await harness.register({ type: 'anonymous' });
  const before = await harness.exchange(body['identity_assertion']);
  return { harness, registered: body, before, token: before.body['access_token'] };
}

async function claimed(options: Partial<MockServiceOptions> = { resources: SHOP }) {
  const harness = await Harness.start(options);
  const registration = await harness.claimedAnonymous();
  const { access_token } = await harness.collect(registration['claim_token']);
  return { harness, token: access_token };
}

const refusal = (options: Partial<MockServiceOptions>) =>
  Harness.start(options).then(
    () => 'started',
    (error: unknown) => (error instanceof TypeError ? error.message : String(error)),
  );

describe('resources', () => {
  it('replace the ones of the specification', async () => {
    const { harness, token } = await start();
    expect((await harness.call(token)).status).toBe(404);
    expect((await harness.call(token, 'GET', '/v1/orders')).body).toEqual([{ id: 7 }]);
  });

  it.each([
    ['GET', '/v1/orders', 200, '[{"id":7}]', 'application/json'],
    ['POST', '/v1/orders', 201, /"The resource was written\."/, 'application/json'],
    ['GET', '/v1/orders/9', 200, '{"id":7}', 'application/json'],
    ['PUT', '/v1/orders/9', 200, /"The resource was written\."/, 'application/json'],
    ['PATCH', '/v1/orders/9', 200, /"The resource was written\."/, 'application/json'],
    ['DELETE', '/v1/orders/9', 204, '', null],
    ['POST', '/v1/orders/search', 200, 'none', 'text/plain; charset=utf-8'],
    ['GET', '/v1/orders/search', 200, '{"id":7}', 'application/json'],
    ['GET', '/files', 200, /"Here is the resource\."/, 'application/json'],
    ['GET', '/files/a/b.txt', 200, /"Here is the resource\."/, 'application/json'],
    ['GET', '/me', 200, /"alice@example.com"/, 'application/json'],
  ])('answer %s %s with %i', async (method, path, status, body, type) => {
    const { harness, token } = await claimed();
    const response = await harness.service.fetch(
      new Request(BASE + path, { method, headers: { authorization: `Bearer ${String(token)}` } }),
    );
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toMatch(body === '' ? /^$/ : body);
  });

  it('answer HEAD where they answer GET', async () => {
    const { harness, token } = await start();
    expect((await harness.call(token, 'HEAD', '/v1/orders')).status).toBe(200);
  });

  it('answer what is open without a token', async () => {
    const { harness } = await start();
    expect((await harness.send('GET', '/health')).body).toEqual({ ok: true });
  });

  it.each([
    ['DELETE', '/v1/orders', 'GET, HEAD, POST'],
    ['POST', '/v1/orders/9', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['OPTIONS', '/v1/orders/search', 'POST, GET, HEAD, PUT, PATCH, DELETE'],
    ['POST', '/files/a', 'GET, HEAD'],
  ])('answer 405 to %s %s and name the methods', async (method, path, allow) => {
    const { harness, token } = await start();
    const answer = await harness.call(token, method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it.each(['/v1', '/v1/orders/', '/v1/orders/9/items', '/filesystem', '/health/deep'])(
    'do not answer %s',
    async (path) => {
      const { harness, token } = await start();
      expect((await harness.call(token, 'GET', path)).status).toBe(404);
    },
  );

  it('challenge a call without a token, and name the scopes of one that needs more', async () => {
    const { harness, token } = await start();
    const without = await harness.send('DELETE', '/v1/orders/9');
    expect(without.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource/v1/orders/9"`,
    );
    const short = await harness.call(token, 'DELETE', '/v1/orders/9');
    expect(short.status).toBe(403);
    expect(short.headers.get('www-authenticate')).toContain('scope="orders.write orders.read"');
  });

  it.each(['/v1/orders', '/v1/orders/9', '/v1/orders/search', '/files', '/files/a/b', '/me'])(
    'have metadata and are a target of tokens: %s',
    async (path) => {
      const { harness, registered } = await start();
      const metadata = await harness.send('GET', `/.well-known/oauth-protected-resource${path}`);
      expect(metadata.body['resource']).toBe(BASE + path);
      const bound = await harness.exchange(registered['identity_assertion'], {
        resource: BASE + path,
      });
      expect(bound.status).toBe(200);
      const elsewhere = await harness.call(bound.body['access_token'], 'GET', '/v1/orders/8');
      expect(elsewhere.status).toBe(path === '/v1/orders' ? 200 : 401);
    },
  );

  it.each(['/v1', '/health', '/login', '/api/resource'])(
    'have no metadata elsewhere: %s',
    async (path) => {
      const { harness, registered } = await start();
      const metadata = await harness.send('GET', `/.well-known/oauth-protected-resource${path}`);
      expect(metadata.status).toBe(404);
      const bound = await harness.exchange(registered['identity_assertion'], {
        resource: BASE + path,
      });
      expect(bound.body['error']).toBe('invalid_target');
    },
  );

  it('leave what the mock answers itself to it, whatever their templates match', async () => {
    const { harness, token } = await start({
      resources: [
        { path: '/{any}', scope: 'a' },
        { path: '/*', method: 'POST', scope: 'b' },
        { path: '/api/*', scope: 'a' },
      ],
    });
    expect((await harness.call(token, 'GET', '/orders')).status).toBe(200);
    expect((await harness.call(token, 'GET', '/api/anything')).status).toBe(200);
    expect((await harness.send('GET', '/login')).headers.get('content-type')).toContain('html');
    expect((await harness.send('GET', '/api/services.json')).body['meta']).toBeDefined();
    expect((await harness.send('GET', '/v2/buildings/list.json')).body['meta']).toBeDefined();
    const metadata = await harness.send('GET', '/.well-known/oauth-protected-resource/login');
    expect(metadata.status).toBe(404);
  });

  it.each(['/*', '/{any}', '/{any}/{other}'])('have metadata where they are %s', async (path) => {
    const { harness, token } = await start({ resources: [{ path, scope: 'a' }] });
    const called = path.replaceAll(/\{|\}/g, '').replace('*', 'any');
    expect((await harness.call(token, 'GET', called)).status).toBe(200);
    const metadata = await harness.send('GET', `/.well-known/oauth-protected-resource${called}`);
    expect(metadata.body['resource']).toBe(BASE + called);
  });

  it('leave the trees of the mock alone, for every method and every origin', async () => {
    const { harness, token } = await start({
      resources: (['GET', 'PUT'] as const).map((method) => ({ path: '/*', method, scope: 'a' })),
      cors: ['https://app.example'],
    });
    for (const path of ['/.well-known/openid-configuration', '/.well-known', '/__mock/x', '/c']) {
      for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await harness.send(method, path, {
          headers: { authorization: `Bearer ${token}`, origin: 'https://app.example' },
        });
        expect([path, method, answer.status]).toEqual([path, method, 404]);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
    expect((await harness.call(token, 'PUT', '/wherever/else')).status).toBe(200);
  });

  it('answer with pages that can do nothing at the origin of the mock', async () => {
    const body = '<script>fetch("/connections")</script>';
    const page = { path: '/page', open: true, body, contentType: 'text/html' };
    const { harness } = await start({ resources: [page, { path: '/a' }] });
    const { headers } = await harness.send('GET', '/page');
    expect(headers.get('content-type')).toBe('text/html');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('cannot take a path of any route that the mock has', async () => {
    const paths = new Set<string>();
    await Harness.start({
      resources: [{ path: '/only/this' }],
      faults: [
        {
          description: 'looks at the routes',
          parts: (mock) => {
            for (const { path } of mock.routes(mock)) paths.add(path.replace(/:\w+/g, 'x'));
            return {};
          },
        },
      ],
    });
    // Its MCP server makes room.
    const own = [...paths].filter((path) => !/\/(?:only\/this|mcp)$/.test(path));
    expect(own.length).toBeGreaterThan(20);
    for (const path of own) {
      expect(await refusal({ resources: [{ path }] })).toMatch(/ itself\.$/);
    }
  });

  it('can lie below /v2, beside the directory', async () => {
    const { harness, token } = await start({
      resources: [{ path: '/v2/pets/{id}', scope: 'pets' }],
    });
    expect((await harness.call(token, 'GET', '/v2/pets/1')).status).toBe(200);
    // Nobody can have `api.read` here, so any token will do.
    const listed = await harness.call(token, 'GET', '/v2/buildings/list.json');
    expect(listed.status).toBe(200);
  });

  it.each<[string, ResourceOptions]>([
    ['resources: GET /login: the mock answers /login itself.', { path: '/login' }],
    [
      'resources: POST /oauth2/token: the mock answers /oauth2/token itself.',
      { path: '/oauth2/token', method: 'POST' },
    ],
    [
      'resources: GET /__mock/clock: the mock answers /__mock/clock itself.',
      { path: '/__mock/clock' },
    ],
    [
      'resources: GET /.well-known/x: the mock answers /.well-known/x itself.',
      { path: '/.well-known/x' },
    ],
    ['resources: GET /: the mock answers / itself.', { path: '/' }],
    ['resources: GET /style.css: the mock answers /style.css itself.', { path: '/style.css' }],
    [
      'resources: GET /api/services.json: the mock answers /api/services.json itself.',
      { path: '/api/services.json' },
    ],
    ['resources: GET /v2/*: the directory answers /v2 itself.', { path: '/v2/*' }],
    [
      'resources: GET /v2/{service}/x: the directory answers /v2/{service}/x itself.',
      { path: '/v2/{service}/x' },
    ],
    [
      'resources: GET /v2/pets/list.json: the directory answers /v2/pets/list.json itself.',
      { path: '/v2/pets/list.json' },
    ],
    ['resources: GET orders: the path has to begin with /.', { path: 'orders' }],
    ['resources: GET /a//b: the path has an empty segment.', { path: '/a//b' }],
    ['resources: GET /a/../b: the path has a segment . or ...', { path: '/a/../b' }],
    ['resources: GET /a/:id: a variable is written {id}.', { path: '/a/:id' }],
    ['resources: GET /a*: * can only be the last segment of a path.', { path: '/a*' }],
    [
      "resources: GET /a b: a path takes letters, digits, -._~!$&'()+,;=:@ and variables like {id}.",
      { path: '/a b' },
    ],
    ['resources: GET /{a}{b}: two variables need something between them.', { path: '/{a}{b}' }],
    ['resources: GET /a: "é" is no scope (RFC 6749 §3.3).', { path: '/a', scope: 'é' }],
    ['resources: GET /a: the scope is empty.', { path: '/a', scope: ' ' }],
    ['resources: GET /a: what is open needs no scope.', { path: '/a', scope: 'a', open: true }],
    ['resources: GET /a: the status is a number from 200 to 299.', { path: '/a', status: 404 }],
    ['resources: GET /a: "json" is no media type.', { path: '/a', contentType: 'json' }],
    ['resources: GET /a: the body is no JSON value.', { path: '/a', body: 1n }],
    ['resources: GET /a: the scope is a text.', { path: '/a', scope: ['a'] as never }],
    ['resources: GET /a: open is true or false.', { path: '/a', open: 'yes' as never }],
    [
      'resources: GET /a: there is no member scopes; known are path, method, scope, open, status, body, contentType.',
      { path: '/a', scopes: ['a'] } as never,
    ],
    ['resources: use a list of objects such as { path: "/v1/orders" }.', 'GET /a' as never],
  ])('are refused: %s', async (message, resource) => {
    expect(await refusal({ resources: [resource, { path: '/fine' }] })).toBe(message);
  });

  it('are refused where one is there twice, whatever its variables are called', async () => {
    const twice = [{ path: '/a/{id}' }, { path: '/a/{other}' }];
    expect(await refusal({ resources: twice })).toBe('resources: GET /a/{other} is there twice.');
    expect(await refusal({ resources: [] })).toMatch(/^resources is empty/);
    expect(await refusal({ resources: [{ path: '/a', open: true }] })).toMatch(
      /all of them are open/,
    );
  });
});

describe('scopes', () => {
  it.each<[string, Partial<MockServiceOptions>, string[], string[]]>([
    ['the specification’s', {}, ['api.read'], ['api.read', 'api.write']],
    [
      'those that resources name',
      { resources: SHOP },
      ['orders.read', 'files'],
      ['orders.read', 'files', 'orders.write'],
    ],
    [
      'what a GET needs before a claim',
      {
        resources: [
          { path: '/a', scope: 'r' },
          { path: '/a', method: 'PUT', scope: 'w' },
        ],
      },
      ['r'],
      ['r', 'w'],
    ],
    ['none before a claim', { resources: [{ path: '/a', method: 'PUT', scope: 'w' }] }, [], ['w']],
    [
      'the specification’s without any',
      { resources: [{ path: '/a' }] },
      ['api.read'],
      ['api.read', 'api.write'],
    ],
    ['both lists', { scopes: { preClaim: ['a'], postClaim: ['a', 'b'] } }, ['a'], ['a', 'b']],
    ['one list', { scopes: { preClaim: ['a'] } }, ['a'], ['a', 'api.write']],
    ['the other', { scopes: { postClaim: ['a', 'b', 'a'] } }, ['a'], ['a', 'b']],
    ['nothing before a claim', { scopes: { preClaim: [] } }, [], ['api.write']],
  ])('are %s', async (_what, options, pre, post) => {
    const { harness, registered, before } = await start(options);
    expect(registered['pre_claim_scopes']).toEqual(pre);
    expect(registered['post_claim_scopes']).toEqual(post);
    expect(before.body['scope']).toBe(pre.length === 0 ? undefined : pre.join(' '));
    const metadata = await harness.send('GET', '/.well-known/oauth-authorization-server');
    expect(metadata.body['scopes_supported']).toEqual(post);
    const skill = await harness.send('GET', '/auth.md');
    for (const scope of post) expect(skill.body['text']).toContain(`\`${scope}\``);
  });

  it.each<[string, ScopeOptions, (readonly ResourceOptions[])?]>([
    ['scopes.postClaim is empty: name at least one scope.', { postClaim: [] }],
    [
      'scopes.preClaim has a, which scopes.postClaim has not: a claim takes no scope away.',
      { preClaim: ['a'], postClaim: ['b'] },
    ],
    [
      'scopes.preClaim: "a b" is no scope: printable ASCII without spaces, quotes and backslashes (RFC 6749 §3.3).',
      { preClaim: ['a b'] },
    ],
    ['scopes.preClaim cannot be "a b". Use a list of scopes.', { preClaim: 'a b' as never }],
    ['scopes.preClaim: 5 is no scope', { preClaim: [5 as never] }],
    [
      'scopes.pre: there is no such list. Use preClaim or postClaim.',
      { pre: ['a'] } as ScopeOptions,
    ],
    [
      'GET /a needs c, which scopes.postClaim has not: add it there.',
      { postClaim: ['a'] },
      [{ path: '/a', scope: 'c' }],
    ],
  ])('are refused: %s', async (message, scopes, resources) => {
    expect(await refusal({ scopes, ...(resources && { resources }) })).toContain(message);
  });

  it('let the default resource be read before a claim, and written after it', async () => {
    const scopes = { preClaim: ['a'], postClaim: ['a', 'b'] };
    const { harness, token } = await start({ scopes });
    expect((await harness.call(token)).status).toBe(200);
    const short = await harness.call(token, 'POST');
    expect(short.headers.get('www-authenticate')).toContain('scope="b"');
    const after = await claimed({ scopes });
    expect((await after.harness.call(after.token, 'POST')).status).toBe(200);
  });
});
