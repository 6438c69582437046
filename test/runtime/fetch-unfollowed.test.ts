import { describe, expect, it } from 'vitest';
import { type FetchInit, fetchUnfollowed } from '../../src/runtime/index.ts';

/** An answer with members that no constructor gives it. */
function odd(over: Readonly<Record<string, unknown>>): Response {
  const response = Response.json({});
  for (const [name, value] of Object.entries(over)) {
    Object.defineProperty(response, name, { value });
  }
  return response;
}

describe('an exchange that follows nothing', () => {
  it('asks the fetch not to follow, beside what it is given', async () => {
    const seen: unknown[] = [];
    const fetch = async (url: string, init?: FetchInit) => {
      seen.push([url, init]);
      return new Response();
    };
    await fetchUnfollowed(fetch, 'https://a.example/');
    await fetchUnfollowed(fetch, 'https://a.example/', { method: 'POST', body: 'x' });
    expect(seen).toEqual([
      ['https://a.example/', { redirect: 'manual' }],
      ['https://a.example/', { method: 'POST', body: 'x', redirect: 'manual' }],
    ]);
  });

  it.each([200, 204, 301, 304, 307, 404, 500])(
    'gives an answer of %i as it came',
    async (status) => {
      const response = new Response(null, { status });
      expect(await fetchUnfollowed(async () => response, 'https://a.example/')).toBe(response);
    },
  );

  it.each([
    ['came from elsewhere', { redirected: true }],
    ['is an opaque redirect', { type: 'opaqueredirect', status: 0 }],
    ['is opaque', { type: 'opaque', status: 0 }],
    ['is an error of a browser', { type: 'error', status: 0 }],
  ])('refuses an answer that %s, and lets go of it', async (_what, over) => {
    const response = odd(over);
    await expect(fetchUnfollowed(async () => response, 'https://a.example/')).rejects.toMatchObject(
      {
        name: 'NetworkError',
        code: 'redirected',
      },
    );
    await expect(response.body?.getReader().read()).resolves.toMatchObject({ done: true });
  });
});
