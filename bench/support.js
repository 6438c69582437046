import { createMockService, openDatabase, serve } from 'agent-auth/mock-service';
import { silentLog, systemClock, systemRandom } from 'agent-auth/runtime';

/**
 * @typedef {(path: string, init?: RequestInit) => Promise<Response>} Send
 * @typedef {{ send: Send, close: () => Promise<void> }} Opened
 */

/**
 * @param {string} baseUrl
 * @param {string | undefined} file
 */
async function openService(baseUrl, file) {
  const db = await openDatabase(file === undefined ? {} : { file });
  const service = await createMockService({
    baseUrl,
    clock: systemClock,
    random: systemRandom,
    fetch: () => Promise.reject(new Error('No provider is asked for.')),
    log: silentLog,
    db,
  });
  return { db, service };
}

/**
 * A service that is called directly.
 * @param {string | undefined} file
 * @returns {Promise<Opened>}
 */
export async function callService(file) {
  const base = 'http://127.0.0.1';
  const { db, service } = await openService(base, file);
  return {
    send: (path, init) => service.fetch(new Request(base + path, init)),
    close: () => db.close(),
  };
}

/**
 * A service behind Node's server.
 * @param {string | undefined} file
 * @returns {Promise<Opened>}
 */
export async function serveService(file) {
  /** @type {() => Promise<void>} */
  let closeStore = async () => {};
  const served = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async (origin) => {
      const { db, service } = await openService(origin, file);
      closeStore = () => db.close();
      return service.fetch;
    },
  });
  return {
    send: (path, init) => fetch(served.origin + path, init),
    close: async () => {
      await served.close();
      await closeStore();
    },
  };
}
