/**
 * One of several processes that serve the same services: its first message says which ones, on which stores. It
 * answers where they listen, and ends with its parent.
 */
import { createMockProvider } from 'agent-auth/mock-provider';
import { createMockService, openDatabase, serve } from 'agent-auth/mock-service';
import { silentLog, systemClock } from 'agent-auth/runtime';
import { BROKEN } from './broken.js';

/** @typedef {import('./replicas.ts').ReplicaSettings} ReplicaSettings */

process.once('disconnect', () => process.exit());
process.once('message', (message) => {
  start(/** @type {ReplicaSettings} */ (message)).then(
    (origins) => process.send?.({ origins }),
    (error) => process.send?.({ failed: String(error) }),
  );
});

/** @param {ReplicaSettings} settings */
async function start({ baseUrl, controlToken, jwks, services, stores }) {
  /** @type {Record<string, import('agent-auth/mock-service').Database>} */
  const databases = {};
  for (const [name, place] of Object.entries(stores)) databases[name] = await openDatabase(place);
  /** @type {Record<string, string>} */
  const origins = {};
  for (const [name, { isFrozenAt, options, store }] of Object.entries(services)) {
    const db = databases[store];
    if (db === undefined) throw new Error(`There is no store ${store}.`);
    const { origin } = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async () => {
        const common = {
          baseUrl,
          clock: isFrozenAt === undefined ? systemClock : { now: () => isFrozenAt },
          control: { token: controlToken },
          db,
          exchanges: 0,
          fetch: async () => Response.json(jwks),
          log: silentLog,
        };
        if (options === 'provider') return (await createMockProvider(common)).fetch;
        const faults = (options.faults ?? []).map((fault) => BROKEN[fault] ?? fault);
        const service = await createMockService({ ...common, ...options, faults });
        return service.fetch;
      },
    });
    origins[name] = origin;
  }
  return origins;
}
