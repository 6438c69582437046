import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../src/protocol/index.ts';
import { RAW_FLOWS } from './contract/flows.ts';
import { readGolden } from './contract/golden.ts';
import { recorder } from './contract/recorder.ts';
import { flowsOf } from './dialects/possible-flows.ts';
import { nameOf } from './dialects/recorded-flows.ts';
import { Harness as ProviderHarness, SERVICE } from './mock-provider/harness.ts';
import { BASE, Harness } from './mock-service/harness.ts';
import { ApiDocument, documentProblem } from './support/api-document.ts';

const ROOT = join(import.meta.dirname, '..');
const documentOf = (mock: string) =>
  parse(readFileSync(join(ROOT, `openapi/${mock}.yaml`), 'utf8')) as JsonObject;

const FLAT = [
  ...flowsOf('flat').map((flow) => nameOf('flat', flow)),
  ...Object.keys(RAW_FLOWS).map((name) => nameOf('flat', name)),
];

describe('the written OpenAPI document', () => {
  it.each(['service', 'provider'])('of the %s is valid, and so is each example', async (mock) => {
    expect(await documentProblem(documentOf(mock))).toBeUndefined();
    expect(new ApiDocument(documentOf(mock)).exampleProblems()).toEqual([]);
  });

  it.each(FLAT)('agrees with the golden transcript %s', (name) => {
    const document = new ApiDocument(documentOf('service'));
    // The pages for people are not described.
    const told = readGolden(name).filter(
      ({ request }) => !/^\w+ \/(login|connections)\b/.test(request),
    );
    expect(told.length).toBeGreaterThan(0);
    expect(told.flatMap((each) => document.disagreements(each))).toEqual([]);
  });

  it('of the provider agrees with what it is asked and what it answers', async () => {
    const h = await ProviderHarness.start({ audiences: [{ issuer: SERVICE, name: 'Example' }] });
    const { exchanges, fetch } = recorder(h.provider.fetch);
    Object.assign(h.provider, { fetch });
    for (const path of ['/', '/agent-auth.json', '/.well-known/jwks.json'])
      await h.send('GET', path);
    await h.send('GET', '/.well-known/oauth-authorization-server');
    await h.send('GET', '/.well-known/openid-configuration');
    await h.askForDevice({ client_id: 'nobody' });
    await h.askForDevice({ scope: 'openid nothing' });
    const device = await h.device();
    await h.poll(device.device_code);
    await h.poll(device.device_code);
    await h.decideDevice(device, 'alice@example.com', 'approve');
    h.clock.advance(60_000);
    const { body: signedIn } = await h.poll(device.device_code);
    const authorization = `Bearer ${String(signedIn['access_token'])}`;
    await h.send('GET', '/oauth2/userinfo', { headers: { authorization } });
    await h.send('POST', '/oauth2/userinfo', { headers: { authorization } });
    await h.form('/oauth2/userinfo', { access_token: 'x' }, { authorization });
    await h.send('GET', '/oauth2/userinfo');
    const idToken = String(signedIn['id_token']);
    await h.mint(idToken);
    await h.mintWithConsent(idToken);
    await h.mint(idToken, { audience: 'https://nobody.test' });
    await h.mint(idToken, { subject_token: 'none' });
    await h.revoke(idToken);
    await h.revoke('none');
    h.clock.advance(24 * 3_600_000);
    await h.mint(idToken);
    const document = new ApiDocument(documentOf('provider'));
    const told = exchanges.filter(
      ({ request }) => !/^\w+ \/(login|device|consents?)\b/.test(request),
    );
    expect(told.length).toBeGreaterThan(20);
    expect(told.flatMap((each) => document.disagreements(each))).toEqual([]);
    await h.provider.close();
  });

  it('would notice an answer that is otherwise', () => {
    const document = new ApiDocument(documentOf('service'));
    const registered = readGolden('flat-anonymous').find(({ request }) =>
      request.startsWith('POST'),
    );
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

  it('names operations of the mocks alone', async () => {
    const service = await Harness.start();
    const provider = await ProviderHarness.start();
    for (const [mock, harness] of Object.entries({ service, provider })) {
      for (const { method, path } of new ApiDocument(documentOf(mock)).operations) {
        const { status } = await harness.send(method, path.replace(/\{\w+\}/, 'x.json'));
        // A method of the directory and a resource below another one may be none.
        expect([path, status === 405]).toEqual([path, false]);
        if (!path.includes('{'))
          expect([path, status === 404 && method === 'POST']).toEqual([path, false]);
      }
    }
    await service.service.close();
    await provider.provider.close();
  });

  it('leaves out no endpoint that the mocks name', async () => {
    const service = await Harness.start();
    const provider = await ProviderHarness.start();
    for (const [mock, harness] of Object.entries({ service, provider })) {
      const { body } = await harness.send('GET', '/', { headers: { accept: 'application/json' } });
      const { openapi: _itself, ...endpoints } = body['endpoints'] as Record<string, string>;
      const paths = Object.values(endpoints).map((url) => new URL(url).pathname);
      const described = new ApiDocument(documentOf(mock)).operations.map(({ path }) => path);
      expect(paths.length).toBeGreaterThan(5);
      expect(described).toEqual(expect.arrayContaining(paths));
    }
    await service.service.close();
    await provider.provider.close();
  });
});

describe('GET /openapi.json', () => {
  it('is the written document, with the issuer of the mock', async () => {
    const harness = await Harness.start();
    const got = await harness.send('GET', '/openapi.json');
    expect(got.headers.get('access-control-allow-origin')).toBe('*');
    expect(got.headers.get('cache-control')).toBe('public, max-age=300');
    expect(got.body['servers']).toEqual([{ url: BASE }]);
    expect(got.body['paths']).toHaveProperty(['/agent/identity', 'post']);
    await harness.service.close();
  });

  it('is 404 in another dialect, and says where to look', async () => {
    const harness = await Harness.start({ dialect: 'nested' });
    const { body, status } = await harness.send('GET', '/openapi.json');
    expect(status).toBe(404);
    expect(JSON.stringify(body)).toMatch(/dialect flat, and this mock speaks nested: .*\/auth\.md/);
    await harness.service.close();
  });

  it.each(['/openapi.json', '/{file}', '/*'])(
    'leaves the path to a resource at %s',
    async (path) => {
      const harness = await Harness.start({
        resources: [{ path, method: 'POST' }, { path: '/a' }],
      });
      expect([404, 405]).toContain((await harness.send('GET', '/openapi.json')).status);
      const { body } = await harness.send('GET', '/');
      expect(body['endpoints']).not.toHaveProperty('openapi');
      await harness.service.close();
    },
  );
});
