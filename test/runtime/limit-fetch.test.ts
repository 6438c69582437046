import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fetch, limitFetch, NetworkError, systemFetch } from '../../src/runtime/index.ts';

const ANY_URL = 'https://a.example/';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A fetch that heeds no signal. */
const deaf =
  (body: ReadableStream<Uint8Array> | string | null, init: ResponseInit = {}): Fetch =>
  async () =>
    new Response(body, init);

const neverEnding = (onCancel = () => {}) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(' ')),
    cancel: onCancel,
  });

describe('a fetch with a time limit', () => {
  it('gives up an answer that does not come, though the fetch heeds no signal', async () => {
    const answer = limitFetch(() => new Promise(() => {}), 1000)(ANY_URL);
    const refused = expect(answer).rejects.toMatchObject({ name: 'NetworkError', code: 'timeout' });
    vi.advanceTimersByTime(1000);
    await refused;
  });

  it('gives up a body that does not end, and lets go of it', async () => {
    const cancelled = vi.fn();
    const response = await limitFetch(deaf(neverEnding(cancelled)), 1000)(ANY_URL);
    const text = expect(response.text()).rejects.toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(1000);
    await text;
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it.each<[what: string, take: (response: Response) => Promise<unknown>]>([
    ['is read', (response) => response.text()],
    ['is cancelled', async (response) => response.body?.cancel()],
  ])('holds no timer once the body %s', async (_what, take) => {
    const response = await limitFetch(deaf('hello'), 1000)(ANY_URL);
    expect(vi.getTimerCount()).toBe(1);
    await take(response);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['an answer without a body', deaf(null, { status: 204 })],
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ])('holds no timer after %s', async (_what, fetch) => {
    await limitFetch(fetch, 1000)(ANY_URL).catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells the end by the caller from the end by the limit', async () => {
    const caller = new AbortController();
    const response = await limitFetch(deaf(neverEnding()), 1000)(ANY_URL, {
      signal: caller.signal,
    });
    const text = expect(response.text()).rejects.toMatchObject({ code: 'aborted' });
    caller.abort();
    await text;
  });

  it('says why a body broke off', async () => {
    const cause = Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' });
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new TypeError('terminated', { cause })),
    });
    const response = await limitFetch(deaf(broken))(ANY_URL);
    await expect(response.text()).rejects.toEqual(
      new NetworkError('reset', 'No answer: the connection broke off.'),
    );
  });

  it('hands on everything that the answer says', async () => {
    const given = new Response('hello', {
      status: 201,
      headers: [
        ['set-cookie', 'a'],
        ['set-cookie', 'b'],
      ],
    });
    Object.defineProperties(given, { url: { value: ANY_URL }, redirected: { value: true } });
    const response = await limitFetch(async () => given)(ANY_URL);
    expect(response.headers.getSetCookie()).toEqual(['a', 'b']);
    expect(response).toMatchObject({
      status: 201,
      url: ANY_URL,
      redirected: true,
      type: 'default',
    });
    expect(await response.text()).toBe('hello');
  });

  it('hands on an answer that hides itself as it is', async () => {
    const opaque = Response.error();
    expect(await limitFetch(async () => opaque)(ANY_URL)).toBe(opaque);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('takes the global fetch that is there at the time of the call', async () => {
  const fetch = limitFetch(systemFetch);
  vi.stubGlobal('fetch', async () => new Response('of a test'));
  expect(await (await fetch(ANY_URL)).text()).toBe('of a test');
});
