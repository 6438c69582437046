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
    const { json } = await import('../../../src/mock/http/response.ts');
    const { serve } = await import('../../../src/mock/http/serve.ts');
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

describe('the global Request and Response', () => {
  const served = async (overrideGlobalObjects?: boolean) => {
    vi.resetModules();
    const { createMockService, serve } = await import('../../../src/testing/mock-service.ts');
    const { ExchangeLog } = await import('../../../src/traffic/index.ts');
    const exchanges = new ExchangeLog();
    const build = async (baseUrl: string) =>
      (await createMockService({ baseUrl, exchanges, faults: ['wrongResource'] })).fetch;
    const at = { host: '127.0.0.1', port: 0, log: silentLog };
    const mock = await serve({ ...at, build, overrideGlobalObjects });
    try {
      const { Response: left } = globalThis;
      const metadata = await fetch(`${mock.origin}/.well-known/oauth-protected-resource`);
      const posted = await fetch(`${mock.origin}/agent/identity`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"type":"anonymous"}',
      });
      await Promise.all([metadata.text(), posted.text()]);
      const seen = exchanges.read().exchanges.map(({ request, response, status }) => ({
        status,
        request: request.bodyState,
        response: response.bodyState,
        names: Object.keys(response.headers).filter((name) => name !== 'content-length'),
      }));
      return { isOwn: left === own.Response, seen };
    } finally {
      await mock.close();
    }
  };

  it('stay where a library serves, and are replaced where the program says so, with the same answers', async () => {
    const library = await served();
    const program = await served(true);
    expect([library.isOwn, program.isOwn]).toEqual([true, false]);
    expect(program.seen).toHaveLength(2);
    expect(program.seen).toEqual(library.seen);
  });
});
