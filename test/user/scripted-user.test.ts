import { describe, expect, it } from 'vitest';
import type { FetchInit } from '../../src/runtime/ports.ts';
import { ScriptedUser } from '../../src/user/scripted-user.ts';

const site = 'http://127.0.0.1:4800';

function pretend(answer: (path: string, init: FetchInit) => Response | undefined) {
  const log: { path: string; init: FetchInit }[] = [];
  const user = new ScriptedUser(async (url, init = {}) => {
    const { pathname, search } = new URL(url);
    log.push({ path: pathname + search, init });
    return answer(pathname, init) ?? new Response(null, { status: 404 });
  });
  return { user, log };
}

const html = (body: string, headers: Record<string, string> = {}) =>
  new Response(`<!doctype html><title>t</title>${body}`, { headers });

describe('the scripted user', () => {
  it('sends what the form already holds, with what it fills in', async () => {
    const { user, log } = pretend((path, init) =>
      init.method === 'POST'
        ? html('<h1>Done</h1>')
        : path === '/form'
          ? html(
              '<h1>Sign in</h1><form method="post" action="/go"><input type="hidden" name="csrf_token" value="a&amp;b"><input name="email"><button>Go</button></form>',
            )
          : undefined,
    );
    const page = await user.open(`${site}/form`);
    const after = await user.submit(page, { email: 'alice@example.com' });
    expect(after.heading).toBe('Done');
    expect(log[1]).toMatchObject({
      path: '/go',
      init: { method: 'POST', body: 'csrf_token=a%26b&email=alice%40example.com' },
    });
  });

  it('chooses the form by the controls that it needs', async () => {
    const { user, log } = pretend((_path, init) =>
      init.method === 'POST'
        ? html('')
        : html(
            '<form method="post" action="/logout"><button>Out</button></form>' +
              '<form method="post" action="/claim"><input name="user_code"><button name="decision" value="approve">Approve</button></form>',
          ),
    );
    const page = await user.open(`${site}/x`);
    await user.submit(page, { user_code: '123456', decision: 'approve' });
    expect(log[1]?.path).toBe('/claim');
  });

  it('says which page lacks the form', async () => {
    const { user } = pretend(() => html('<h1>Nothing here</h1>'));
    const page = await user.open(`${site}/x`);
    expect(() => user.submit(page, { user_code: '1' })).toThrow(/Nothing here.*user_code/);
  });

  it('follows redirects with GET and keeps cookies of that origin alone', async () => {
    const { user, log } = pretend((path) =>
      path === '/login'
        ? new Response(null, {
            status: 303,
            headers: { location: '/claim?x=1', 'set-cookie': 'sid=abc; HttpOnly; Path=/' },
          })
        : html('<h1>Claim</h1>'),
    );
    expect((await user.open(`${site}/login`)).url).toBe(`${site}/claim?x=1`);
    expect(log[1]?.init.headers).toMatchObject({ cookie: 'sid=abc' });
    await user.open('http://127.0.0.1:4801/');
    expect(log[2]?.init.headers).not.toHaveProperty('cookie');
  });

  it('does not follow redirects for ever', async () => {
    const { user } = pretend(
      () => new Response(null, { status: 303, headers: { location: '/a' } }),
    );
    await expect(user.open(`${site}/a`)).rejects.toThrow(/redirects/);
  });
});
