import { describe, expect, it } from 'vitest';
import { createApp, json, oauthEnvelope, type Route } from '../../../src/mock/index.ts';
import { MemoryLog, systemClock } from '../../../src/runtime/index.ts';

const ORIGIN = 'https://mock.example';

/** Answers with what a handler sees of the request, and by which pattern it was found. */
function appOf(patterns: readonly Partial<Route>[], cors: readonly string[] = []) {
  const app = createApp({
    clock: systemClock,
    log: new MemoryLog(),
    fallback: oauthEnvelope,
    cors,
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

describe('a path that was asked for before', () => {
  it('shows its handler the same of a request as the first time', async () => {
    const { seen } = appOf([{}]);
    const headers = new Headers([
      ['x-name', 'a'],
      ['x-name', 'b'],
    ]);
    const [first, second] = [
      await seen('/thing?q=a%20b%2Bc+d&q=e', { headers }),
      await seen('/thing?q=a%20b%2Bc+d&q=e', { headers }),
    ];
    expect(first).toEqual({
      by: '/thing',
      method: 'GET',
      url: `${ORIGIN}/thing?q=a%20b%2Bc+d&q=e`,
      id: null,
      q: 'a b+c d',
      header: 'a, b',
      missing: null,
    });
    expect(second).toEqual(first);
  });

  it('goes on to refuse other methods, and to answer HEAD without a body', async () => {
    const { send } = appOf([{}, { method: 'POST' }]);
    for (const time of ['first', 'second']) {
      expect((await send('/thing', { method: 'POST' })).status, time).toBe(200);
      const wrong = await send('/thing', { method: 'DELETE' });
      expect([wrong.status, wrong.headers.get('allow')], time).toEqual([405, 'GET, HEAD, POST']);
      const head = await send('/thing', { method: 'HEAD' });
      expect([head.status, await head.text()], time).toEqual([200, '']);
    }
  });

  it('keeps the parts that a pattern names apart', async () => {
    const { seen } = appOf([{ path: '/things/:id' }, { path: '/files/*' }]);
    for (const id of ['a', 'b', 'a']) expect(await seen(`/things/${id}`)).toMatchObject({ id });
    for (const path of ['/files/a', '/files/b', '/files/a']) {
      expect(await seen(path)).toMatchObject({ by: '/files/*', url: ORIGIN + path });
    }
  });

  it('is not another one that is spelled like it once it is decoded', async () => {
    const { send, seen } = appOf([{ path: '/a b' }, { path: '/files/*' }]);
    expect(await seen('/a%20b')).toMatchObject({ by: '/a b' });
    expect(await seen('/a%20b')).toMatchObject({ by: '/a b' });
    await seen('/files/x');
    for (const path of ['/files%2fx', '/FILES/x', '//files/x', '/fil%65s/x/../../thing']) {
      expect((await send(path)).status, path).toBe(404);
    }
    expect(await seen('/fil%65s/x')).toMatchObject({ by: '/files/*' });
  });

  it('is found by the pattern that is listed first, however many were asked for', async () => {
    const { seen } = appOf([{ path: '/files/first' }, { path: '/files/*' }]);
    for (let round = 0; round < 2; round += 1) {
      for (let at = 0; at < 300; at += 1) {
        expect(await seen(`/files/${at}`)).toMatchObject({ by: '/files/*' });
        expect(await seen('/files/first')).toMatchObject({ by: '/files/first' });
      }
    }
  });

  it('has its guard asked each time, and what a handler throws rendered', async () => {
    let asked = 0;
    const { send } = appOf([
      {
        guard: () => {
          asked += 1;
        },
        handle: () => {
          throw new Error('broken');
        },
      },
    ]);
    for (const time of [1, 2, 3]) {
      expect((await send('/thing')).status).toBe(503);
      expect(asked).toBe(time);
    }
  });

  it('answers pages of other origins that may call it, each time', async () => {
    const origin = 'https://page.example';
    const { send } = appOf([{ crossOrigin: true }], [origin]);
    for (let time = 0; time < 2; time += 1) {
      const answer = await send('/thing', { headers: { origin } });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });
});
