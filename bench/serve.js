// A server of the bench: a mock as the program serves it, or the bare handler of a row, on Hono's own server for Node.
import { serve as serveBare } from '@hono/node-server';
import { Hono } from 'hono';
import { rowOf } from './rows.js';

/** @type {{ side: 'mock' | 'bare', row: string, prepared?: import('./rows.js').Prepared }} */
const { side, row: id, prepared } = JSON.parse(process.argv[2] ?? '{}');
const row = rowOf(id);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.once('disconnect', () => process.exit());
process.send?.(await (side === 'mock' ? serveMock() : serveHandler()));

/** With its controls, and a silent log. @returns {Promise<string>} its origin */
async function serveMock() {
  /** @param {string} door */
  const load = (door) => import(new URL(`../dist/${door}.js`, import.meta.url).href);
  /** @type {typeof import('agent-auth/mock-service')} */
  const { createMockService, openDatabase, serve } = await load('testing/mock-service');
  /** @type {typeof import('agent-auth/mock-provider')} */
  const { createMockProvider } = await load('testing/mock-provider');
  /** @type {typeof import('agent-auth/runtime')} */
  const { silentLog: log, systemSleep: sleep } = await load('runtime/index');
  const db = await openDatabase({});
  const control = { token: 'for-the-bench-and-nobody-else' };
  const { origin } = await serve({
    host: '127.0.0.1',
    port: 0,
    log,
    overrideGlobalObjects: true,
    build: async (baseUrl) => {
      const options = { baseUrl, db, log, control, ...row.options };
      if (row.role === 'service') return (await createMockService(options)).fetch;
      // Its outbox waits in the background, as in the program.
      return (await createMockProvider({ ...options, audiences: 'any', sleep })).fetch;
    },
  });
  return origin;
}

/** @returns {Promise<string>} its origin */
function serveHandler() {
  if (prepared === undefined) throw new Error('A bare handler follows a mock.');
  const { method, path } = prepared;
  const app = new Hono().on(method, path, row.bare(prepared));
  return new Promise((resolve) => {
    serveBare({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    );
  });
}
