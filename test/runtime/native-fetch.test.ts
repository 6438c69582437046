import { setupServer } from 'msw/node';
import { describe, expect, it, vi } from 'vitest';
import { isNativeFetch } from '../../src/runtime/native-fetch.ts';

describe('the fetch of the runtime itself', () => {
  it('is known by its text', () => {
    expect(isNativeFetch(globalThis.fetch)).toBe(true);
  });

  it.each([
    ['one that calls it', (...args: Parameters<typeof fetch>) => fetch(...args)],
    ['one that is bound', fetch.bind(globalThis)],
    ['a proxy of it', new Proxy(fetch, {})],
    ['a spy', vi.fn(fetch)],
    [
      'one that says it is',
      Object.assign(() => {}, { toString: () => Function.prototype.toString.call(fetch) }),
    ],
    ['none', undefined],
  ])('is not mistaken for %s', (_what, other) => {
    expect(isNativeFetch(other)).toBe(false);
  });

  it('is not mistaken for that of MSW', () => {
    const msw = setupServer();
    msw.listen({ onUnhandledRequest: 'bypass' });
    try {
      expect(isNativeFetch(globalThis.fetch)).toBe(false);
    } finally {
      msw.close();
    }
    expect(isNativeFetch(globalThis.fetch)).toBe(true);
  });
});
