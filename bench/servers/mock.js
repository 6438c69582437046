// A mock, served as the program serves it: the controls on, a silent log.
import { pathToFileURL } from 'node:url';
import { serveUntilEnd } from './until-end.js';

/**
 * @typedef {object} MockSettings
 * @property {string} dist the built project
 * @property {'service' | 'provider'} role
 * @property {object} [options] of the mock
 */

/** @type {MockSettings} */
const settings = JSON.parse(process.argv[2] ?? '{}');

/** @param {string} door */
const load = (door) => import(pathToFileURL(`${settings.dist}/${door}.js`).href);

/** @type {typeof import('agent-auth/mock-service')} */
const { createMockService, openDatabase, serve } = await load('testing/mock-service');
/** @type {typeof import('agent-auth/mock-provider')} */
const { createMockProvider } = await load('testing/mock-provider');
/** @type {typeof import('agent-auth/runtime')} */
const { silentLog, systemSleep } = await load('runtime/index');

const db = await openDatabase({});
const served = await serve({
  host: '127.0.0.1',
  port: 0,
  log: silentLog,
  overrideGlobalObjects: true,
  build: async (origin) => {
    const options = {
      baseUrl: origin,
      db,
      log: silentLog,
      control: { token: 'for-the-bench-and-nobody-else' },
      ...settings.options,
    };
    if (settings.role === 'provider') {
      // Its outbox waits in the background, as in the program.
      return (await createMockProvider({ ...options, audiences: 'any', sleep: systemSleep })).fetch;
    }
    return (await createMockService(options)).fetch;
  },
});
serveUntilEnd(served.origin, async () => {
  await served.close();
  await db.close();
});
