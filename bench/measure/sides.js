import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discover } from '../rows/peer.js';
import { startServer } from './child.js';

/**
 * @typedef {import('./compare.js').Side} Side
 * @typedef {import('../rows/rows.js').Row} Row
 *
 * @typedef {object} Bench
 * @property {import('./machine.js').Cores} cores
 * @property {import('./compare.js').Pace} pace
 * @property {import('../rows/id-jags.js').BenchProvider} provider
 * @property {string} folder for what is sent and stored, gone at the end
 */

/** What is written at once. */
const CHUNK = 1_000;

/** @returns {string} */
export function makeFolder() {
  return mkdtempSync(join(tmpdir(), 'agent-auth-bench-'));
}

/**
 * One of our mocks, in a process of its own.
 *
 * @param {Bench} bench
 * @param {string} name
 * @param {string} dist
 * @param {{ options?: object, file?: string, url?: string }} [more] settings of `servers/mock.js`
 * @returns {Side}
 */
export function mockSide(bench, name, dist, more = {}) {
  return {
    name,
    start: async (row) => {
      const { issuer, jwks } = bench.provider;
      const settings = { dist, role: row.role, port: 0, trust: { issuer, jwks }, ...more };
      const options = { ...row.options, ...more.options };
      const server = await startServer('mock.js', { ...settings, options }, bench.cores.server);
      return running(bench, row, { ...server, pids: [server.pid] });
    },
  };
}

/**
 * The bare handler of each row: it gets what the first side gets, and answers as much.
 *
 * @param {Bench} bench
 * @returns {Side}
 */
export function limitSide({ cores }) {
  return {
    name: 'limit',
    start: async (row, first) => {
      if (first === undefined) throw new Error('A limit follows another side.');
      const { prepared } = first;
      const { method, path, size } = prepared.load;
      const { key, tokens = [] } = prepared;
      const settings = { row: row.id, method, path, size, key, tokens };
      const server = await startServer('limit.js', settings, cores.server);
      const { close, origin, pid } = server;
      return { origins: [origin], pids: [pid], prepared, close };
    },
  };
}

/**
 * A service that somebody else runs.
 *
 * @param {Bench} bench
 * @param {string} url
 * @returns {Side}
 */
export function otherSide(bench, url) {
  const { origin } = new URL(url);
  return {
    name: 'other',
    start: (row) => running(bench, row, { origin, pids: [], close: async () => {} }),
  };
}

/**
 * @param {Bench} bench
 * @param {Row} row
 * @param {{ origin: string, pids: readonly number[], close: () => Promise<void> }} server
 * @returns {Promise<import('./compare.js').Running>}
 */
async function running({ folder, pace, provider }, row, server) {
  const file = join(mkdtempSync(join(folder, 'load-')), 'bodies');
  const close = async () => {
    await server.close();
    rmSync(file, { force: true });
  };
  try {
    const keep = (/** @type {Iterable<string>} */ bodies) => writeLines(file, bodies);
    const peer = await discover(server.origin);
    const seconds = pace.warmUp + pace.seconds;
    const prepared = await row.prepare({ keep, peer, provider, seconds });
    return { origins: [server.origin], pids: server.pids, prepared, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @param {string} file
 * @param {Iterable<string>} lines
 */
function writeLines(file, lines) {
  const handle = openSync(file, 'w');
  /** @type {string[]} */
  let waiting = [];
  const flush = () => {
    if (waiting.length > 0) writeSync(handle, `${waiting.join('\n')}\n`);
    waiting = [];
  };
  for (const line of lines) {
    waiting.push(line);
    if (waiting.length === CHUNK) flush();
  }
  flush();
  closeSync(handle);
  return file;
}
