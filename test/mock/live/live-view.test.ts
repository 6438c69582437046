import { afterEach, describe, expect, it } from 'vitest';
import type { LiveSource } from '../../../src/mock/live/live-source.ts';
import { LiveView } from '../../../src/mock/live/live-view.ts';
import { FakeClock, SeededRandom, type Sleep, silentLog } from '../../../src/runtime/index.ts';
import { type Exchange, ExchangeLog, type Recorded } from '../../../src/traffic/index.ts';
import { connected } from '../../support/connected.ts';
import { until } from '../../support/until.ts';

const ORIGIN = 'http://127.0.0.1:4800';
const MESSAGE = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;

/** What is waited for briefly comes at once; the long wait never ends by itself. */
const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => reject(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    if (ms >= 500) return;
    setImmediate(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
  });

function recorded(path: string, more: Partial<Exchange> = {}): Recorded {
  const exchange = {
    to: 'service' as const,
    at: 0,
    duration: 1,
    method: 'GET',
    url: ORIGIN + path,
    path,
    request: MESSAGE,
    status: 200,
    response: MESSAGE,
    ...more,
  };
  return { to: 'service', length: 500, redact: () => exchange };
}

const views: LiveView[] = [];
afterEach(() => {
  for (const view of views.splice(0)) view.close();
});

interface Setup {
  readonly kept?: number;
  readonly isOurHost?: boolean;
  readonly controlToken?: string;
}

function setUp({ controlToken, kept = 1_000, isOurHost = true }: Setup = {}) {
  const clock = new FakeClock(Date.UTC(2026, 0));
  const exchanges = new ExchangeLog(kept);
  const acted: unknown[] = [];
  const listeners = new Set<() => void>();
  let title = 'Example';
  const source: LiveSource = {
    snapshot: async () => ({
      version: 1,
      title,
      has_controls: true,
      parties: [],
      registrations: [],
      mails: [],
      changes: [],
    }),
    findings: () => [],
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act: async (name, given) => {
      acted.push([name, given]);
      return { ok: true, message: 'Done.' };
    },
  };
  const view = new LiveView({
    origin: ORIGIN,
    title: 'Example',
    exchanges,
    source,
    assets: async () => ({ script: 'script', style: 'style' }),
    controlToken,
    isOurHost: () => isOurHost,
    clock,
    random: new SeededRandom(1),
    sleep,
    log: silentLog,
  });
  views.push(view);
  const fetch = view.around(async () => new Response('plain page'));
  const ask = (path: string, init?: RequestInit) => fetch(new Request(ORIGIN + path, init));
  const open = async () => {
    const { pathname, search } = new URL(view.link());
    const answer = await ask(pathname + search);
    return { answer, cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  const rename = (name: string) => {
    title = name;
    for (const listener of listeners) listener();
  };
  return { acted, ask, clock, exchanges, listeners, open, rename, view };
}

const HTML = { accept: 'text/html' };

async function csrfToken(ask: ReturnType<typeof setUp>['ask'], cookie: string): Promise<string> {
  const text = await (await ask('/', { headers: { ...HTML, cookie } })).text();
  return /name="csrf-token" content="([^"]+)"/.exec(text)?.[1] ?? '';
}

describe('the door of the live view', () => {
  it('shows a stranger the plain page, and nothing of the view', async () => {
    const { ask } = setUp();
    expect(await (await ask('/', { headers: HTML })).text()).toBe('plain page');
    expect((await ask('/__live/events')).status).toBe(401);
    expect((await ask('/__live/actions/reset', { method: 'POST' })).status).toBe(401);
    expect(
      (await ask('/__live/events', { headers: { cookie: 'agent_auth_live_4800=x' } })).status,
    ).toBe(401);
  });

  it('trades a link for a cookie that scripts and other sites never see', async () => {
    const { ask, open } = setUp();
    const { answer, cookie } = await open();
    expect(answer.headers.get('set-cookie')).toMatch(
      /^agent_auth_live_4800=[\w-]{27}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const page = await ask('/', { headers: { ...HTML, cookie } });
    expect(await page.text()).toContain('/__live/app.js');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    // A program gets what it always got.
    expect(await (await ask('/', { headers: { cookie } })).text()).toBe('plain page');
  });

  it('takes a link once', async () => {
    const { ask, view } = setUp();
    const { pathname, search } = new URL(view.link());
    expect((await ask(pathname + search)).status).toBe(200);
    const again = await ask(pathname + search);
    expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null]);
    expect(await again.text()).toContain('agent-auth mock open');
  });

  it('leaves a link good for whoever asks for the head alone', async () => {
    const { ask, view } = setUp();
    const { pathname, search } = new URL(view.link());
    const head = await ask(pathname + search, { method: 'HEAD' });
    expect([head.status, head.headers.get('set-cookie'), head.body]).toEqual([200, null, null]);
    expect((await ask(pathname + search)).status).toBe(200);
  });

  it('takes a link for 60 seconds', async () => {
    const { ask, clock, view } = setUp();
    const link = () => {
      const { pathname, search } = new URL(view.link());
      return pathname + search;
    };
    const [first, second] = [link(), link()];
    clock.advance(59_999);
    expect((await ask(first)).status).toBe(200);
    clock.advance(1);
    expect((await ask(second)).status).toBe(403);
  });

  it('ends a session after twelve hours', async () => {
    const { ask, clock, open } = setUp();
    const { cookie } = await open();
    clock.advance(12 * 3_600_000);
    expect(await (await ask('/', { headers: { ...HTML, cookie } })).text()).toBe('plain page');
  });

  it('answers nothing by a name that was rebound to it', async () => {
    const { ask } = setUp({ isOurHost: false });
    for (const path of ['/__live/events', '/__live/app.js', '/__live?ticket=x']) {
      expect((await ask(path)).status).toBe(421);
    }
  });

  it('is for this machine alone', async () => {
    const { open, view } = setUp();
    const { cookie } = await open();
    const fetch = view.around(async () => new Response('plain page'));
    const from = async (ip: string, path: string) => {
      const request = new Request(ORIGIN + path, { headers: { ...HTML, cookie } });
      return fetch(connected(request, { ip }));
    };
    expect(await (await from('::ffff:127.0.0.1', '/')).text()).toContain('csrf-token');
    expect(await (await from('192.0.2.7', '/')).text()).toBe('plain page');
    for (const path of ['/__live/events', '/__live/app.js', '/__live?ticket=x']) {
      expect((await from('192.0.2.7', path)).status).toBe(403);
    }
  });

  it('gives a program with the control token a new link, and nobody else', async () => {
    const { ask } = setUp({ controlToken: 'ctl_12345678901234567890' });
    const get = async (authorization: string, more: Record<string, string> = {}) =>
      ask('/__mock/live', { method: 'POST', headers: { authorization, ...more } });
    const right = 'Bearer ctl_12345678901234567890';
    expect((await get('Bearer ctl_guess')).status).toBe(401);
    expect((await get(right, { origin: 'http://evil.example' })).status).toBe(403);
    expect(await (await get(right)).json()).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4800\/__live\?ticket=[\w-]{22}$/),
    });
    const without = setUp();
    expect(await (await without.ask('/__mock/live', { method: 'POST' })).text()).toBe('plain page');
  });

  it('does what its own buttons say, and no other page', async () => {
    const { acted, ask, open } = setUp();
    const { cookie } = await open();
    const token = await csrfToken(ask, cookie);
    const press = async (headers: Record<string, string>, name = 'clock') =>
      (
        await ask(`/__live/actions/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie, ...headers },
          body: '{"advance":"11m"}',
        })
      ).status;
    expect(await press({ origin: ORIGIN })).toBe(403);
    expect(await press({ origin: ORIGIN, 'x-csrf-token': 'guess' })).toBe(403);
    expect(await press({ origin: 'http://evil.example', 'x-csrf-token': token })).toBe(403);
    expect(await press({ origin: 'null', 'x-csrf-token': token })).toBe(403);
    expect(await press({ 'x-csrf-token': token })).toBe(403);
    expect(await press({ 'sec-fetch-site': 'same-origin', 'x-csrf-token': token })).toBe(403);
    expect(acted).toEqual([]);
    expect(await press({ origin: ORIGIN, 'x-csrf-token': token })).toBe(200);
    expect(acted).toEqual([['clock', { advance: '11m' }]]);
  });
});

interface Told {
  readonly name: string;
  readonly data: unknown;
}

/**
 * Reads events until there are `count`.
 * @param meanwhile what happens, one after another, each once all that came before has been told: the last of them
 * leads to the last event, the one before it to the one before that.
 */
async function events(
  response: Response,
  count: number,
  ...meanwhile: readonly (() => void)[]
): Promise<readonly Told[]> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const told = (): readonly Told[] =>
    text.split('\n\n').flatMap((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const name = field('event');
      return name === undefined ? [] : [{ name, data: JSON.parse(field('data') ?? 'null') }];
    });
  const left = [...meanwhile];
  while (told().length < count) {
    if (left.length > 0 && told().length === count - left.length) left.shift()?.();
    const read = await reader?.read();
    if (read === undefined || read.done) break;
    text += decoder.decode(read.value, { stream: true });
  }
  await reader?.cancel();
  return told().slice(0, count);
}

describe('the events of the live view', () => {
  async function stream(
    { ask, open }: Pick<ReturnType<typeof setUp>, 'ask' | 'open'>,
    headers: Record<string, string> = {},
  ) {
    const { cookie } = await open();
    return ask('/__live/events', { headers: { cookie, ...headers } });
  }

  it('are what happened until now, explained, and what there is', async () => {
    const setup = setUp();
    setup.exchanges.add(recorded('/api/resource', { status: 401 }));
    setup.exchanges.add(recorded('/.well-known/oauth-authorization-server'));
    const told = await events(await stream(setup), 3);
    expect(told.map(({ name }) => name)).toEqual(['exchange', 'exchange', 'snapshot']);
    expect(told.map(({ data }) => data)).toMatchObject([
      { seq: 1, from: 'agent', to: 'service', step: 'call', at: '1970-01-01T00:00:00.000Z' },
      { seq: 2, step: 'server_metadata', section: expect.stringContaining('RFC 8414') },
      { title: 'Example' },
    ]);
  });

  it('come as they happen, and all again to a reader that comes back', async () => {
    const setup = setUp();
    const told = await events(
      await stream(setup),
      3,
      () => setup.exchanges.add(recorded('/api/resource', { status: 401 })),
      () => setup.rename('Another'),
    );
    expect(told.map(({ name }) => name)).toEqual(['snapshot', 'exchange', 'snapshot']);
    setup.exchanges.add(recorded('/x'));
    const again = await events(await stream(setup), 3);
    const seen = again.filter(({ name }) => name === 'exchange').map(({ data }) => data);
    expect(seen).toMatchObject([{ seq: 1 }, { seq: 2, path: '/x' }]);
  });

  it('replace one whose rest has come', async () => {
    const setup = setUp();
    const cut = { ...MESSAGE, bodyState: 'incomplete' } as const;
    const seq = setup.exchanges.add(recorded('/long', { response: cut }));
    const told = await events(await stream(setup), 3, () =>
      setup.exchanges.complete(seq, recorded('/long')),
    );
    expect(told.at(-1)?.data).toMatchObject({ seq: 1, response: { body_state: 'none' } });
  });

  it('are of the last ones alone after a million', async () => {
    const setup = setUp({ kept: 100 });
    const one = recorded('/x');
    for (let n = 0; n < 1_000_000; n += 1) setup.exchanges.add(one);
    const told = await events(await stream(setup), 101);
    expect(told.map(({ name }) => name)).toEqual([...Array(100).fill('exchange'), 'snapshot']);
  });

  it('end when the view is closed, and leave nothing behind', async () => {
    const setup = setUp();
    const response = await stream(setup);
    setup.view.close();
    expect(await response.text()).toContain('retry:');
    await until(() => setup.listeners.size === 0);
  });

  it('are a head alone to whoever asks for that', async () => {
    const setup = setUp();
    const { cookie } = await setup.open();
    const head = await setup.ask('/__live/events', { method: 'HEAD', headers: { cookie } });
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      null,
    ]);
    expect(setup.listeners.size).toBe(0);
  });

  it('go to two hundred at once, and to the next one when one has left', async () => {
    const setup = setUp();
    const { cookie } = await setup.open();
    const ask = () => setup.ask('/__live/events', { headers: { cookie } });
    const all = await Promise.all(Array.from({ length: 200 }, ask));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect((await ask()).status).toBe(409);
    await all[0]?.body?.cancel();
    expect((await ask()).status).toBe(200);
    setup.view.close();
  });

  it('leave nothing behind when the reader goes', async () => {
    const setup = setUp();
    await events(await stream(setup), 1);
    await until(() => setup.listeners.size === 0);
  });
});
