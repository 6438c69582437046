import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../src/runtime/index.ts';

const own = { Request: globalThis.Request, Response: globalThis.Response };

afterEach(() => {
  Object.assign(globalThis, own);
  vi.resetModules();
});

describe('a mock beside a server that replaced the global Response', () => {
  it('writes each answer once', async () => {
    // What a server of the same library does where nobody forbids it.
    getRequestListener(() => new Response());
    expect(globalThis.Response).not.toBe(own.Response);
    vi.resetModules();
    const { json, serve } = await import('../../../src/mock/http/index.ts');
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async () => async () => json({ n: 1 }),
    });
    try {
      const answers = [await fetch(served.origin), await fetch(served.origin)];
      expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
        { n: 1 },
        { n: 1 },
      ]);
      expect(reported).not.toHaveBeenCalled();
    } finally {
      await served.close();
    }
  });
});
