import { describe, expect, it } from 'vitest';
import { BASE, Harness } from '../../mock-service/harness.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const NAVIGATION = { ...BROWSER, 'sec-fetch-mode': 'navigate' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The status, the type and how the body begins. */
async function answered(path: string, init: RequestInit) {
  const { service } = await Harness.start();
  const response = await service.fetch(new Request(BASE + path, init));
  const type = response.headers.get('content-type')?.split(';')[0];
  return [response.status, type, (await response.text()).slice(0, 5).toLowerCase()];
}

const page = (status: number) => [status, 'text/html', '<!doc'];
const json = (status: number) => [status, 'application/json', '{"err'];

describe('an error', () => {
  it.each([
    ['an unknown path', '/nothing', { method: 'GET' }, 404],
    ['a form to an unknown path', '/nothing', { method: 'POST', body: 'a=b' }, 404],
    ['a wrong method', '/agent/identity', { method: 'GET' }, 405],
    ['a form to what takes none', '/.well-known/jwks.json', { method: 'POST', body: 'a=b' }, 405],
  ])('is a page for a browser, and JSON for a program: %s', async (_what, path, init, status) => {
    const form = init.method === 'POST' ? FORM : {};
    const sent = (headers: Record<string, string>) =>
      answered(path, { ...init, headers: { ...form, ...headers } });
    expect(await sent(NAVIGATION)).toEqual(page(status));
    expect(await sent({ accept: 'application/json' })).toEqual(json(status));
    expect(await sent({})).toEqual(json(status));
  });

  it('is JSON for a program that posts, even where it takes HTML as well', async () => {
    const headers = { ...FORM, ...BROWSER };
    expect(await answered('/nothing', { method: 'POST', body: 'a=b', headers })).toEqual(json(404));
  });

  it('is a page for a form that is too large', async () => {
    const headers = { ...FORM, ...NAVIGATION };
    const body = `email=${'x'.repeat(70_000)}`;
    expect(await answered('/login', { method: 'POST', body, headers })).toEqual(page(413));
  });

  it('is a page where the service is unavailable', async () => {
    const h = await Harness.start({ faults: ['unavailable'] });
    const response = await h.service.fetch(new Request(`${BASE}/login`, { headers: BROWSER }));
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('<h1>Temporarily unavailable</h1>');
  });
});
