import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../../src/mock/index.ts';
import type { ServiceContext } from '../../src/mock-service/context/service-context.ts';
import { serviceControlRoutes } from '../../src/mock-service/controls/control-routes.ts';
import { QUIRK_NAMES } from '../../src/mock-service/dialects/index.ts';
import { DIALECT_IDS, type JsonObject } from '../../src/protocol/index.ts';
import { ApiDocument, documentProblem, shapeOf, type Traffic } from '../support/api-document.ts';
import { BASE, Harness } from './harness.ts';

const TRANSCRIPTS = join(import.meta.dirname, '../../fixtures/transcripts');
const TOKEN = 'a-control-token-of-a-test';
const control = { token: TOKEN };

async function documentOf(options: Parameters<typeof Harness.start>[0] = {}): Promise<JsonObject> {
  const harness = await Harness.start(options);
  const { body, status } = await harness.send('GET', '/openapi.json');
  await harness.service.close();
  expect(status).toBe(200);
  return body;
}

function recorded(folder: string, name: string): readonly Traffic[] {
  return JSON.parse(readFileSync(join(TRANSCRIPTS, folder, name), 'utf8')) as readonly Traffic[];
}

const filesIn = (folder: string) =>
  readdirSync(join(TRANSCRIPTS, folder)).filter((name) => name.endsWith('.json'));

/** The service of golden transcripts. */
const RECORDED = { users: [{ email: 'known@example.com' }], algorithm: 'EdDSA' } as const;

describe('the OpenAPI document of a service', () => {
  it.each(DIALECT_IDS)('is valid OpenAPI 3.1 in %s, and so is each example', async (dialect) => {
    const document = await documentOf({ dialect, control });
    expect(await documentProblem(document)).toBeUndefined();
    expect(document['openapi']).toMatch(/^3\.1\./);
    expect(new ApiDocument(document).exampleProblems()).toEqual([]);
  });

  it.each(DIALECT_IDS)('tells every route in %s, and no other', async (dialect) => {
    let service: ServiceContext | undefined;
    const harness = await Harness.start({
      ...{ dialect, control },
      resources: [
        { path: '/v1/orders' },
        { path: '/v1/orders/{id}', method: 'PUT', scope: 'orders.write' },
        { path: '/v1/files/*' },
        { path: '/open', open: true },
      ],
      faults: [
        {
          name: 'looked',
          description: 'is looked at',
          parts: (right) => {
            service = right;
            return {};
          },
        },
      ],
    });
    const { controls } = harness.service;
    const own = serviceControlRoutes(controls);
    const ofControls = controlRoutes(controls, {
      ...control,
      issuer: BASE,
      isOurHost: () => true,
      own,
    });
    const { body } = await harness.send('GET', '/openapi.json');
    const routes = [...ofControls, ...(service?.routes(service) ?? [])]
      .filter(({ path }) => path !== '/__mock/*')
      .flatMap(({ method, path }) => {
        // A tree is its root as well, but for the directory's: nothing is there.
        const root = path.replace(/\/\*$/, '');
        const isTree = root !== path && !root.endsWith('/v2');
        return [shapeOf(method, path), ...(isTree ? [shapeOf(method, root)] : [])];
      });
    const told = new ApiDocument(body).operations.map(({ method, path }) => shapeOf(method, path));
    expect(told.toSorted()).toEqual(routes.toSorted());
    await harness.service.close();
  });

  it.each(filesIn('.'))('agrees with the golden transcript %s', async (name) => {
    const document = new ApiDocument(await documentOf(RECORDED));
    expect(recorded('.', name).flatMap((each) => document.disagreements(each))).toEqual([]);
  });

  it.each(DIALECT_IDS)('agrees with the golden transcripts of %s', async (dialect) => {
    const document = new ApiDocument(await documentOf({ ...RECORDED, dialect }));
    const names = filesIn('dialects').filter((name) => name.startsWith(`${dialect}-`));
    expect(names.length).toBeGreaterThan(8);
    const traffic = names.flatMap((name) => recorded('dialects', name));
    expect(traffic.flatMap((each) => document.disagreements(each))).toEqual([]);
  });

  it.each(QUIRK_NAMES)('is valid and agrees with the golden transcript with %s', async (quirk) => {
    const written = await documentOf({ ...RECORDED, quirks: [quirk] });
    expect(await documentProblem(written)).toBeUndefined();
    const document = new ApiDocument(written);
    const traffic = recorded('quirks', `flat-${quirk}.json`);
    expect(traffic.flatMap((each) => document.disagreements(each))).toEqual([]);
  });

  it('would notice an answer that is otherwise', async () => {
    const document = new ApiDocument(await documentOf());
    const [registered] = recorded('.', 'anonymous.json');
    if (registered === undefined) throw new Error('There is no transcript.');
    const { identity_assertion: _left, ...less } = registered.body as JsonObject;
    const differences = [
      { ...registered, body: less },
      { ...registered, status: 201 },
      { ...registered, request: 'POST /agent/registrations' },
      { ...registered, sent: {} },
      { ...registered, headers: { 'content-type': 'text/plain' } },
    ].map((each) => document.disagreements(each).length);
    expect(differences).toEqual([1, 1, 1, 1, 1]);
  });

  it('agrees with its controls', async () => {
    const harness = await Harness.start({ control });
    const document = new ApiDocument((await harness.send('GET', '/openapi.json')).body);
    const differences: string[] = [];
    const call = async (method: string, path: string, sent?: object) => {
      const { body, headers, status } = await harness.send(method, `/__mock${path}`, {
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(sent && { 'content-type': 'application/json' }),
        },
        ...(sent && { body: JSON.stringify(sent) }),
      });
      const exchange = { request: `${method} /__mock${path}`, status, body, sent };
      differences.push(
        ...document.disagreements({ ...exchange, headers: Object.fromEntries(headers) }),
      );
      return body;
    };
    const { body: made } = await harness.register({ type: 'service_auth', login_hint: 'a@b.test' });
    const claimed = String(made['registration_id']);
    await call('GET', '');
    await call('POST', '/clock', { advance: '1s' });
    await call('POST', '/clock', { advance: 'soon' });
    await call('GET', '/faults');
    await call('POST', '/faults', { faults: ['noSlowDown'] });
    await call('POST', '/faults', { faults: [] });
    await call('POST', '/keys/rotate');
    await call('GET', '/audit');
    await call('GET', '/exchanges');
    await call('GET', '/exchanges?format=transcript');
    await call('POST', '/trust', { issuer: 'http://127.0.0.1:4899' });
    await call('GET', '/directory');
    await call('POST', '/directory/add', { service_id: 400, service_name: 'orders' });
    await call('POST', '/directory/set', { service: 400, service_name: null });
    await call('POST', '/directory/remove', { service: 400 });
    await call('POST', '/directory/remove', { service: 400 });
    await call('GET', `/registrations/${claimed}`);
    await call('POST', `/registrations/${claimed}/complete`, {});
    await call('POST', `/registrations/${claimed}/deny`);
    await call('POST', `/registrations/${claimed}/revoke`);
    await call('GET', '/registrations/nobody');
    await call('GET', '/registrations');
    await call('GET', '/mails');
    await call('POST', '/reset');
    expect(differences).toEqual([]);
    await harness.service.close();
  });
});

describe('GET /openapi.json of a service', () => {
  it('is a public document: cached, for HEAD and for every origin, and for no other method', async () => {
    const harness = await Harness.start();
    const got = await harness.send('GET', '/openapi.json');
    expect(got.headers.get('content-type')).toBe('application/json');
    expect(got.headers.get('cache-control')).toBe('public, max-age=300');
    expect(got.headers.get('access-control-allow-origin')).toBe('*');
    expect((await harness.send('HEAD', '/openapi.json')).status).toBe(200);
    const posted = await harness.send('POST', '/openapi.json');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    await harness.service.close();
  });

  it('follows the dialect that is spoken, and not what is done wrong', async () => {
    const harness = await Harness.start();
    const flat = await harness.send('GET', '/openapi.json');
    await harness.service.controls.setFaults(['missingClaimToken']).catch(() => undefined);
    expect((await harness.send('GET', '/openapi.json')).body).toEqual(flat.body);
    await harness.service.close();
    const first = await documentOf({ dialect: 'first' });
    expect(Object.keys(first['paths'] as JsonObject)).not.toContain('/oauth2/token');
  });

  it('tells what is configured: issuer, lifetimes, resources with their scopes', async () => {
    const document = await documentOf({
      resources: [{ path: '/v1/orders/{id}', scope: 'orders.read orders.own', body: { id: 7 } }],
      lifetimes: { userCode: 60_000 },
    });
    expect(document['servers']).toEqual([{ url: BASE }]);
    expect(document).toMatchObject({
      paths: {
        '/v1/orders/{id}': {
          get: {
            security: [{ accessToken: ['orders.read', 'orders.own'] }],
            parameters: [{ name: 'id', in: 'path', required: true }],
            responses: {
              200: {
                content: { 'application/json': { examples: { success: { value: { id: 7 } } } } },
              },
            },
          },
        },
      },
    });
    expect(JSON.stringify(document)).toContain('"expires_in":60');
    expect(document).not.toHaveProperty(['paths', '/__mock']);
  });

  it('is there whatever bodies were configured: no JSON, a large one', async () => {
    const large = { text: 'x'.repeat(200_000) };
    const document = await documentOf({
      resources: [
        { path: '/broken', body: '{', contentType: 'application/json' },
        { path: '/large', body: large },
        { path: '/empty', status: 204 },
      ],
    });
    expect(await documentProblem(document)).toBeUndefined();
    expect(JSON.stringify(document).length).toBeLessThan(200_000);
  });

  it('may be read by pages of every origin that the mock admits', async () => {
    const harness = await Harness.start({ cors: ['https://app.test'] });
    const headers = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
    const asked = await harness.send('OPTIONS', '/openapi.json', { headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
    await harness.service.close();
  });

  it.each(['/openapi.json', '/{file}', '/*'])(
    'leaves the path to a resource at %s',
    async (path) => {
      const harness = await Harness.start({
        resources: [{ path, method: 'POST' }, { path: '/a' }],
      });
      const { status } = await harness.send('GET', '/openapi.json');
      expect([404, 405]).toContain(status);
      const { body } = await harness.send('GET', '/');
      expect(body['endpoints']).not.toHaveProperty('openapi');
      await harness.service.close();
    },
  );
});
