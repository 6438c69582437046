import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/mock/http/app.ts';
import { readCorsOrigins } from '../../../src/mock/http/cross-origin.ts';
import { oauthEnvelope } from '../../../src/mock/http/envelopes.ts';
import type { Route } from '../../../src/mock/http/request.ts';
import { json, publicReply, wireProblem } from '../../../src/mock/http/response.ts';
import { MemoryLog, systemClock } from '../../../src/runtime/index.ts';

const BASE = 'https://mock.example';
const APP = 'https://app.example';
const OTHER = 'https://other.example';

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/open', handle: () => json({}) },
  { method: 'POST', path: '/open', handle: () => json({}) },
  { method: 'GET', path: '/document', handle: () => publicReply({}) },
  {
    method: 'GET',
    path: '/refusing',
    handle: () => {
      throw wireProblem('identity', 'rate_limited', { headers: { 'retry-after': '7' } });
    },
  },
].map((route) => ({ ...route, envelope: oauthEnvelope, crossOrigin: true }) as Route);
const PAGE: Route = {
  method: 'GET',
  path: '/page',
  envelope: oauthEnvelope,
  handle: () => json({}),
};

function appOf(cors?: readonly string[]) {
  const app = createApp({
    routes: [...ROUTES, PAGE],
    fallback: oauthEnvelope,
    clock: systemClock,
    log: new MemoryLog(),
    ...(cors && { cors }),
  });
  return async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await app(new Request(BASE + path, { method, headers }));
    return { status: response.status, of: (name: string) => response.headers.get(name) };
  };
}

const preflight = { 'access-control-request-method': 'POST' };

describe('calls from pages of other origins', () => {
  it('are allowed to the origins of the option, without credentials', async () => {
    const send = appOf([APP, 'http://localhost:5173']);
    const { of, status } = await send('GET', '/open', { origin: APP });
    expect(status).toBe(200);
    expect(of('access-control-allow-origin')).toBe(APP);
    expect(of('access-control-allow-credentials')).toBeNull();
    expect(of('vary')).toBe('Origin');
    expect(of('access-control-expose-headers')?.split(',')).toEqual(
      expect.arrayContaining(['WWW-Authenticate', 'Retry-After', 'Location', 'Date']),
    );
    expect(of('cache-control')).toBe('no-store');
  });

  it('are announced by a preflight with what the path takes', async () => {
    const send = appOf([APP]);
    const headers = {
      ...preflight,
      'access-control-request-headers': 'authorization, content-type',
    };
    const { of, status } = await send('OPTIONS', '/open', { ...headers, origin: APP });
    expect(status).toBe(204);
    expect(of('access-control-allow-origin')).toBe(APP);
    expect(of('access-control-allow-methods')).toBe('GET,HEAD,POST');
    expect(of('access-control-allow-headers')).toBe('authorization,content-type');
    expect(of('date')).not.toBeNull();
  });

  it('can read a refusal, and a method that the path does not take', async () => {
    const send = appOf([APP]);
    const refused = await send('GET', '/refusing', { origin: APP });
    expect([refused.status, refused.of('access-control-allow-origin')]).toEqual([429, APP]);
    expect(refused.of('retry-after')).toBe('7');
    const wrong = await send('PUT', '/open', { origin: APP });
    expect([wrong.status, wrong.of('access-control-allow-origin')]).toEqual([405, APP]);
  });

  it('are for no other origin, and may be for any', async () => {
    const send = appOf([APP]);
    for (const method of ['GET', 'OPTIONS']) {
      const { of } = await send(method, '/open', { ...preflight, origin: OTHER });
      expect(of('access-control-allow-origin')).toBeNull();
      expect(of('vary')).toContain('Origin');
    }
    const any = await appOf(['*'])('GET', '/open', { origin: OTHER });
    expect([any.of('access-control-allow-origin'), any.of('vary')]).toEqual(['*', null]);
  });

  it('leave public documents to everybody', async () => {
    const { of } = await appOf([APP])('GET', '/document', { origin: OTHER });
    expect(of('access-control-allow-origin')).toBe('*');
  });

  it('reach no route that is not for them, and none without the option', async () => {
    for (const [send, path] of [
      [appOf(['*']), '/page'],
      [appOf(), '/open'],
    ] as const) {
      const { of, status } = await send('OPTIONS', path, { ...preflight, origin: APP });
      expect([status, of('access-control-allow-origin')]).toEqual([405, null]);
      expect(
        (await send('GET', path, { origin: APP })).of('access-control-allow-origin'),
      ).toBeNull();
    }
  });

  it.each([['null'], ['app.example'], ['https://app.example/path'], ['HTTPS://app.example'], ['']])(
    'cannot be for “%s”, which no browser sends',
    (origin) => {
      expect(() => readCorsOrigins([origin])).toThrow(
        `cors: "${origin}" is not an origin. Use an http or https origin like http://localhost:5173, or * for any.`,
      );
    },
  );
});
