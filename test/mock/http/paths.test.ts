import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/mock/http/app.ts';
import { oauthEnvelope } from '../../../src/mock/http/envelopes.ts';
import type { Route } from '../../../src/mock/http/request.ts';
import { json } from '../../../src/mock/http/response.ts';
import { MemoryLog, systemClock } from '../../../src/runtime/index.ts';

const ORIGIN = 'https://mock.example';

/** Answers with what a handler sees of the request, and by which pattern it was found. */
function appOf(patterns: readonly Partial<Route>[]) {
  const app = createApp({
    clock: systemClock,
    log: new MemoryLog(),
    fallback: oauthEnvelope,
    routes: patterns.map((given) => {
      const route: Route = {
        method: 'GET',
        path: '/thing',
        envelope: oauthEnvelope,
        handle: ({ req }) =>
          json({
            by: route.path,
            method: req.method,
            url: req.url,
            id: req.param('id') ?? null,
            q: req.query('q') ?? null,
            header: req.header('X-Name') ?? null,
            missing: req.header('x-missing') ?? null,
          }),
        ...given,
      };
      return route;
    }),
  });
  const send = (path: string, init?: RequestInit) => app(new Request(ORIGIN + path, init));
  const seen = async (path: string, init?: RequestInit) => (await send(path, init)).json();
  return { send, seen };
}

describe('a path', () => {
  it('shows its handler the request', async () => {
    const headers = new Headers([
      ['x-name', 'a'],
      ['x-name', 'b'],
    ]);
    expect(await appOf([{}]).seen('/thing?q=a%20b%2Bc+d&q=e', { headers })).toEqual({
      by: '/thing',
      method: 'GET',
      url: `${ORIGIN}/thing?q=a%20b%2Bc+d&q=e`,
      id: null,
      q: 'a b+c d',
      header: 'a, b',
      missing: null,
    });
  });

  it('has its parts that a pattern names', async () => {
    const { seen } = appOf([{ path: '/things/:id' }, { path: '/files/*' }]);
    expect(await seen('/things/a')).toMatchObject({ id: 'a' });
    expect(await seen('/files/a')).toMatchObject({ by: '/files/*', url: `${ORIGIN}/files/a` });
  });

  it('is not another one that is spelled like it once it is decoded', async () => {
    const { send, seen } = appOf([{ path: '/a b' }, { path: '/files/*' }]);
    expect(await seen('/a%20b')).toMatchObject({ by: '/a b' });
    for (const path of ['/files%2fx', '/FILES/x', '//files/x', '/fil%65s/x/../../thing']) {
      expect((await send(path)).status, path).toBe(404);
    }
    expect(await seen('/fil%65s/x')).toMatchObject({ by: '/files/*' });
  });

  it('is found by the pattern that is listed first', async () => {
    const { seen } = appOf([{ path: '/files/first' }, { path: '/files/*' }]);
    expect(await seen('/files/first')).toMatchObject({ by: '/files/first' });
    expect(await seen('/files/other')).toMatchObject({ by: '/files/*' });
  });
});
