import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  constantTimeEqual,
  FakeClock,
  fakeSleep,
  randomDigits,
  randomToken,
  readBody,
  Secret,
  SeededRandom,
  systemRandom,
} from '../../src/runtime/index.ts';

describe('Secret', () => {
  const secret = new Secret('at_very-secret-value');

  it.each([
    ['String', () => String(secret)],
    ['a template', () => `${secret}`],
    ['JSON', () => JSON.stringify({ secret })],
    ['inspect', () => inspect({ secret }, { showHidden: true, depth: 9 })],
    ['an error', () => new Error(`failed with ${secret}`).message],
    ['its own members', () => JSON.stringify(Object.entries(secret))],
  ])('does not show its value through %s', (_way, print) => {
    expect(print()).not.toContain('very-secret');
  });

  it('can be told apart by its fingerprint, and revealed on purpose', () => {
    expect(secret.fingerprint).not.toBe(new Secret('other').fingerprint);
    expect(secret.reveal()).toBe('at_very-secret-value');
  });
});

describe('random tokens', () => {
  it('hold 160 bits and do not repeat', () => {
    const tokens = Array.from({ length: 10_000 }, () => randomToken(systemRandom, 'at_'));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(Buffer.from(tokens[0]?.slice(3) ?? '', 'base64url')).toHaveLength(20);
  });

  it('favour no digit and keep leading zeros', () => {
    const random = new SeededRandom(7);
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i += 1) {
      const code = randomDigits(random, 6);
      expect(code).toMatch(/^\d{6}$/);
      for (const digit of code) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1200)).toBeLessThan(200);
  });
});

describe('readBody', () => {
  it('stops reading at the cap, however long the body', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    });
    expect(await readBody({ body: endless }, 10_000)).toEqual({ ok: false, problem: 'too_large' });
    expect(pulled).toBeLessThan(20);
  });

  it('refuses bytes that are no UTF-8', async () => {
    const body = new Response(Uint8Array.from([0xff, 0xfe])).body;
    expect(await readBody({ body }, 10)).toEqual({ ok: false, problem: 'not_utf8' });
  });

  it('reads a missing body as empty text', async () => {
    expect(await readBody({ body: null }, 10)).toEqual({ ok: true, text: '' });
  });
});

describe('fakes', () => {
  it('sleep by moving the clock', async () => {
    const clock = new FakeClock(0);
    await fakeSleep(clock)(5000);
    expect(clock.now()).toBe(5000);
  });

  it('wake up when the world aborts meanwhile', async () => {
    const controller = new AbortController();
    const sleep = fakeSleep(new FakeClock(0), () => controller.abort());
    await expect(sleep(1, controller.signal)).rejects.toThrow();
  });
});

describe('constantTimeEqual', () => {
  it('compares texts', () => {
    expect(constantTimeEqual('abc', 'abc')).toBe(true);
    expect(constantTimeEqual('abc', 'abd')).toBe(false);
    expect(constantTimeEqual('abc', 'abcd')).toBe(false);
  });
});
