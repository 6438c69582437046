import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { Harness, PROVIDER } from './harness.ts';

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});

async function codeFor(claims: Record<string, unknown> = {}, kid = 'key-1'): Promise<unknown> {
  const assertion = await h.provider.idJag(claims, { kid });
  const { body, status } = await h.register({ type: 'identity_assertion', assertion });
  return status === 200 ? 'ok' : body['error'];
}

describe('the keys of a provider', () => {
  it('are fetched once for requests that come while they are on their way', async () => {
    const { provider } = h;
    h = await Harness.start({
      fetch: async (url) => {
        await setTimeout(50);
        return provider.fetch(url);
      },
    });
    const codeFor = async () => {
      const assertion = await provider.idJag();
      const { status } = await h.register({ type: 'identity_assertion', assertion });
      return status === 200 ? 'ok' : status;
    };
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeFor()));
    expect(codes).toEqual(Array.from({ length: 10 }, () => 'ok'));
    expect(provider.fetches).toBe(1);
  });

  it('are fetched again after the clock was set back: nothing known then is fresh', async () => {
    expect(await codeFor()).toBe('ok');
    await h.provider.addKey('key-2');
    h.clock.advance(-3_600_000);
    expect(await codeFor({}, 'key-2')).toBe('ok');
    expect(h.provider.fetches).toBe(2);
  });

  it('are not read where their document is longer than 64 KiB, though it is right', async () => {
    const { provider } = h;
    const padded = async (length: number) => {
      const document: unknown = await (
        await provider.fetch(`${PROVIDER}/.well-known/jwks.json`)
      ).json();
      return JSON.stringify({ ...(document as object), note: 'x'.repeat(length) });
    };
    for (const [length, code] of [
      [32 * 1024, 'ok'],
      [64 * 1024, 'temporarily_unavailable'],
    ] as const) {
      const text = await padded(length);
      h = await Harness.start({ fetch: async () => new Response(text) });
      const assertion = await provider.idJag();
      const { body, status } = await h.register({ type: 'identity_assertion', assertion });
      expect(status === 200 ? 'ok' : body['error']).toBe(code);
    }
  });
});
