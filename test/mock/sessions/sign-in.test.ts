import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/mock/http/app.ts';
import {
  bodyReader,
  type Route,
  readForm,
  readJsonObject,
} from '../../../src/mock/http/request.ts';
import { json, seeOther, wireProblem } from '../../../src/mock/http/response.ts';
import { assetRoutes } from '../../../src/mock/pages/asset-routes.ts';
import { pageEnvelope } from '../../../src/mock/pages/page-envelope.ts';
import { signInView } from '../../../src/mock/pages/sign-in-view.ts';
import type { Site } from '../../../src/mock/pages/site.ts';
import { safeReturnTo } from '../../../src/mock/sessions/return-to.ts';
import { Sessions } from '../../../src/mock/sessions/sessions.ts';
import { signInRoutes, signInUrl } from '../../../src/mock/sessions/sign-in-routes.ts';
import type { Database } from '../../../src/mock/store/database.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { createTables } from '../../../src/mock/store/tables.ts';
import { HOUR, MINUTE } from '../../../src/protocol/index.ts';
import { FakeClock, SeededRandom, silentLog, systemClock } from '../../../src/runtime/index.ts';
import { TestUser } from '../../support/test-user.ts';

const site: Site = { name: 'Test <b>service</b>', role: 'Mock service', homePath: '/home' };

async function open(
  origin = 'http://127.0.0.1:4800',
  shared?: Database,
  owner: 'service' | 'provider' = 'service',
) {
  const clock = new FakeClock();
  const db = shared ?? (await openDatabase());
  await createTables(db, []);
  const sessions = new Sessions({
    db,
    owner,
    origin,
    clock,
    random: new SeededRandom(owner === 'service' ? 1 : 2),
  });
  const signIns: string[] = [];
  const envelope = pageEnvelope(site);
  const routes: Route[] = [
    ...signInRoutes({
      reader: bodyReader,
      returnTo: safeReturnTo,
      views: { signIn: signInView },
      sessions,
      site,
      onSignIn: async (email) => {
        signIns.push(email);
        return `usr_${email}`;
      },
    }),
    ...assetRoutes(site),
    {
      method: 'GET',
      path: '/home',
      envelope,
      handle: async (c) => {
        const session = await sessions.find(c);
        if (!session?.visitor) return seeOther(signInUrl('/home?a=1&b=2'));
        return json(session);
      },
    },
    {
      method: 'POST',
      path: '/change',
      envelope,
      handle: async (c) => {
        const session = await sessions.find(c);
        if (!session?.visitor) throw wireProblem('complete', 'login_required');
        const isJson = c.req.header('content-type') === 'application/json';
        const token = isJson
          ? (await readJsonObject(bodyReader, c, 'complete'))['csrf_token']
          : (await readForm(bodyReader, c, 'complete')).get('csrf_token');
        sessions.checkCsrf(c, session, typeof token === 'string' ? token : undefined);
        return json({ changed: true });
      },
    },
  ];
  const app = createApp({ clock: systemClock, routes, fallback: envelope, log: silentLog });
  return { app, clock, db, origin, user: new TestUser(app), sessions, signIns };
}

const tokenOf = (page: {
  document: {
    querySelector(selector: string): { getAttribute(name: string): string | undefined } | null;
  };
}) => page.document.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? '';

describe('signing in', () => {
  it('takes any email, stores it lower-cased, and goes on to the page that asked', async () => {
    const { user, origin, signIns } = await open();
    const form = await user.open(`${origin}/home`);
    expect(form.url).toBe(`${origin}/login?return_to=%2Fhome%3Fa%3D1%26b%3D2`);
    const there = await user.submit(form, '/login', { email: ' Alice@Example.com ' });
    expect(there.url).toBe(`${origin}/home?a=1&b=2`);
    expect(JSON.parse(there.document.innerText)).toMatchObject({
      visitor: { email: 'alice@example.com', key: 'usr_alice@example.com' },
    });
    expect(signIns).toEqual(['alice@example.com']);
  });

  it('says plainly that it is a mock', async () => {
    const { user, origin } = await open();
    const form = await user.open(`${origin}/login`);
    expect(form.text).toContain('Mock sign-in: any email, no password');
    expect(form.document.querySelectorAll('input[type=password]')).toEqual([]);
  });

  it.each(['', 'alice', 'alice@', 'älice@example.com', 'a@b@c', '"><script>alert(1)</script>@x'])(
    'asks again for an email instead of %j, and shows what was typed harmlessly',
    async (email) => {
      const { user, origin, signIns } = await open();
      const form = await user.open(`${origin}/login?return_to=/home`);
      const again = await user.submit(form, '/login', { email });
      expect(again.response.status).toBe(400);
      expect(again.document.querySelector('[role=alert]')?.text).toContain(
        'Enter an email address',
      );
      expect(again.document.querySelectorAll('script')).toEqual([]);
      const input = again.document.querySelector('#email');
      expect([input?.getAttribute('value'), input?.getAttribute('aria-invalid')]).toEqual([
        email,
        'true',
      ]);
      expect(signIns).toEqual([]);
      expect((await user.submit(again, '/login', { email: 'a@b.example' })).url).toBe(
        `${origin}/home`,
      );
    },
  );

  it('goes on at once when somebody is signed in, unless asked to sign in again', async () => {
    const { user, origin } = await open();
    await user.openSignedIn(`${origin}/home`, 'a@b.example');
    expect((await user.open(`${origin}/login?return_to=/home`)).url).toBe(`${origin}/home`);
    const again = await user.open(origin + signInUrl('/home', { again: true }));
    expect(again.text).toContain('Sign in again');
  });

  it.each(['//evil.example', '/.//evil.example', '/%5cevil.example', 'https://evil.example'])(
    'leads home instead of to %s (A-12)',
    async (trick) => {
      const { user, origin } = await open();
      const form = await user.open(`${origin}/login?return_to=${encodeURIComponent(trick)}`);
      const values = { email: 'a@b.example', return_to: trick };
      expect((await user.submit(form, '/login', values)).url).toBe(`${origin}/home`);
      const signedIn = await user.open(`${origin}/login?return_to=${encodeURIComponent(trick)}`);
      expect(signedIn.url).toBe(`${origin}/home`);
    },
  );

  it('answers HEAD and refuses other methods with a page', async () => {
    const { app, origin } = await open();
    expect((await app(new Request(`${origin}/login`, { method: 'HEAD' }))).status).toBe(200);
    const put = await app(new Request(`${origin}/login`, { method: 'PUT' }));
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect(put.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('a session', () => {
  it('has a cookie that scripts and other sites do not get', async () => {
    const plain = await open();
    const cookie = async (of: typeof plain) =>
      (await of.app(new Request(`${of.origin}/login`))).headers.get('set-cookie');
    expect(await cookie(plain)).toMatch(
      /^agent-auth-service=[\w-]{27}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await cookie(await open('https://mock.example'))).toMatch(
      /^__Host-agent-auth-service=[\w-]{27}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('gets a new id and a new CSRF token at sign-in, and the old id is dead (A-14)', async () => {
    const { user, origin } = await open();
    const form = await user.open(`${origin}/login?return_to=/home`);
    const before = new Map(user.cookies);
    const token = tokenOf(form);
    const home = await user.submit(form, '/login', { email: 'a@b.example' });
    expect([...user.cookies.keys()]).toEqual([...before.keys()]);
    expect([...user.cookies.values()]).not.toEqual([...before.values()]);
    expect(JSON.parse(home.document.innerText)['csrfToken']).not.toBe(token);
    user.cookies.clear();
    for (const [name, value] of before) user.cookies.set(name, value);
    expect((await user.open(`${origin}/home`)).url).toContain('/login');
  });

  it('is never taken up from an id that was brought along', async () => {
    const { user, origin } = await open();
    const planted = 'x'.repeat(27);
    user.cookies.set('agent-auth-service', planted);
    const form = await user.open(`${origin}/login?return_to=/home`);
    expect(user.cookies.get('agent-auth-service')).not.toBe(planted);
    await user.submit(form, '/login', { email: 'a@b.example' });
    user.cookies.set('agent-auth-service', planted);
    expect((await user.open(`${origin}/home`)).url).toContain('/login');
  });

  it.each(['', '"', 'a b', '../x', 'x'.repeat(5000), `${'x'.repeat(26)}%00`])(
    'is not found under the odd id %j',
    async (id) => {
      const { app, origin } = await open();
      const headers = { cookie: `agent-auth-service=${id}` };
      const response = await app(new Request(`${origin}/home`, { headers }));
      expect(response.status).toBe(303);
    },
  );

  it('is stored as hashes only, and goes when it is over', async () => {
    const { user, origin, db, clock } = await open();
    await user.openSignedIn(`${origin}/home`, 'a@b.example');
    const rows = await db.transaction((tx) => tx.all('SELECT * FROM sessions'));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(user.cookies.get('agent-auth-service'));
    clock.advance(12 * HOUR - 1);
    expect((await user.open(`${origin}/home`)).url).toBe(`${origin}/home`);
    clock.advance(1);
    expect((await user.open(`${origin}/home`)).url).toContain('/login');
    expect(await db.transaction((tx) => tx.all('SELECT * FROM sessions'))).toHaveLength(1);
  });

  it('that waits for a sign-in is over sooner', async () => {
    const { user, origin, clock } = await open();
    const form = await user.open(`${origin}/login`);
    clock.advance(30 * MINUTE);
    const late = await user.submit(form, '/login', { email: 'a@b.example' });
    expect(late.response.status).toBe(403);
  });

  it('belongs to one mock of a shared database', async () => {
    const service = await open();
    const provider = await open('http://127.0.0.1:4801', service.db, 'provider');
    await service.user.openSignedIn(`${service.origin}/home`, 'a@b.example');
    const id = service.user.cookies.get('agent-auth-service') ?? '';
    provider.user.cookies.set('agent-auth-provider', id);
    expect((await provider.user.open(`${provider.origin}/home`)).url).toContain('/login');
  });
});

describe('signing out', () => {
  it('ends the session and keeps where to go', async () => {
    const { app, user, origin } = await open();
    const home = await user.openSignedIn(`${origin}/home`, 'a@b.example');
    const { csrfToken } = JSON.parse(home.document.innerText) as { csrfToken: string };
    const cookie = [...user.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await user.request(`${origin}/logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: new URLSearchParams({ csrf_token: csrfToken, return_to: '/home' }).toString(),
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/login?return_to=%2Fhome');
    expect(user.cookies.size).toBe(0);
    const after = await app(new Request(`${origin}/home`, { headers: { cookie } }));
    expect(after.status).toBe(303);
  });

  it('is not done by another site', async () => {
    const { user, origin } = await open();
    await user.openSignedIn(`${origin}/home`, 'a@b.example');
    const response = await user.request(`${origin}/logout`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
      },
      body: 'return_to=/home',
    });
    expect(response.status).toBe(403);
    expect((await user.open(`${origin}/home`)).url).toBe(`${origin}/home`);
  });
});

describe('a request that changes something (A-13)', () => {
  async function signedIn() {
    const opened = await open();
    const home = await opened.user.openSignedIn(`${opened.origin}/home`, 'a@b.example');
    const { csrfToken } = JSON.parse(home.document.innerText) as { csrfToken: string };
    const send = async (
      kind: 'form' | 'json',
      token: string | undefined,
      headers: Record<string, string>,
    ) => {
      const value = token === undefined ? {} : { csrf_token: token };
      const response = await opened.user.request(`${opened.origin}/change`, {
        method: 'POST',
        headers: {
          'content-type':
            kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
          ...headers,
        },
        body: kind === 'json' ? JSON.stringify(value) : new URLSearchParams(value).toString(),
      });
      return response.status;
    };
    return { ...opened, csrfToken, send };
  }

  it.each<[string, 'form' | 'json', Record<string, string>, number]>([
    ['a form with our Origin', 'form', { origin: 'http://127.0.0.1:4800' }, 200],
    [
      'a form with Origin null that the browser vouches for',
      'form',
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      200,
    ],
    [
      'a form without Origin that the browser vouches for',
      'form',
      { 'sec-fetch-site': 'same-origin' },
      200,
    ],
    ['JSON with our Origin', 'json', { origin: 'http://127.0.0.1:4800' }, 200],
    ['JSON without Origin', 'json', {}, 200],
    ['a form without Origin', 'form', {}, 403],
    ['a form with Origin null', 'form', { origin: 'null' }, 403],
    [
      'a form with Origin null from elsewhere',
      'form',
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      403,
    ],
    ['a form typed into the address bar', 'form', { 'sec-fetch-site': 'none' }, 403],
    ['a form from another site', 'form', { origin: 'https://evil.example' }, 403],
    ['a form from another port', 'form', { origin: 'http://127.0.0.1:4801' }, 403],
    ['a form from another scheme', 'form', { origin: 'https://127.0.0.1:4800' }, 403],
    [
      'a form from a name that starts like ours',
      'form',
      { origin: 'http://127.0.0.1:4800.evil.example' },
      403,
    ],
    ['JSON from another site', 'json', { origin: 'https://evil.example' }, 403],
    ['JSON without Origin from another site', 'json', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s', async (_what, kind, headers, status) => {
    const { csrfToken, send } = await signedIn();
    expect(await send(kind, csrfToken, headers)).toBe(status);
  });

  it.each(['form', 'json'] as const)('needs the CSRF token of its session: %s', async (kind) => {
    const { app, csrfToken, send, origin } = await signedIn();
    const stranger = new TestUser(app);
    const foreign = tokenOf(await stranger.open(`${origin}/login`));
    expect(foreign).toHaveLength(csrfToken.length);
    for (const token of [undefined, '', foreign, csrfToken.slice(1), `${csrfToken}x`]) {
      expect(await send(kind, token, { origin })).toBe(403);
    }
  });

  it('without Origin is told so, not that it is out of date', async () => {
    const { csrfToken, origin, user } = await signedIn();
    const told = async (headers: Record<string, string>, csrf_token: string) => {
      const body = new URLSearchParams({ csrf_token });
      const init = { method: 'POST', body, headers };
      return (await user.request(`${origin}/change`, init)).text();
    };
    const missing = await told({}, csrfToken);
    expect(missing).toContain('Origin is missing: send the origin of the page with its form.');
    expect(missing).not.toContain('out of date');
    expect(await told({ origin }, 'old')).toContain('out of date; load the page again');
  });

  it('may carry the token in a header', async () => {
    const { csrfToken, send, origin } = await signedIn();
    expect(await send('json', undefined, { origin, 'x-csrf-token': csrfToken })).toBe(200);
  });
});
