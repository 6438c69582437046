import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
 * @property {string} dist the built project
 * @property {import('./compare.js').Pace} pace
 * @property {string} folder for what is sent, gone at the end
 * @property {string} resource the path that is called with a token
 *
 * What each part of the bench is given. It resolves to whether all that it measured has a result.
 * @typedef {object} Work
 * @property {Bench} bench
 * @property {import('../options.js').Options} options
 * @property {(text: string) => void} tell
 */

/** @returns {string} */
export function makeFolder() {
  return mkdtempSync(join(tmpdir(), 'agent-auth-bench-'));
}

/**
 * Our mock, in a process of its own.
 *
 * @param {Bench} bench
 * @returns {Side}
 */
export function mockSide(bench) {
  const { cores, dist } = bench;
  return {
    name: 'mock',
    start: async (row) => {
      const { options, role } = row;
      const settings = { dist, role, options };
      const server = await startServer('mock.js', settings, cores.server);
      try {
        return await running(bench, row, server, server.close);
      } catch (error) {
        await server.close();
        throw error;
      }
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
      const { close, origin, pid } = await startServer('limit.js', settings, cores.server);
      return { origin, pid, prepared, close };
    },
  };
}

/**
 * A service that runs already, and goes on from run to run.
 *
 * @param {Bench} bench
 * @param {string} name
 * @param {{ origin: string, pid?: number }} server
 * @returns {Side}
 */
export function runningSide(bench, name, server) {
  return { name, start: (row) => running(bench, row, server, async () => {}) };
}

/**
 * @param {Bench} bench
 * @param {Row} row
 * @param {{ origin: string, pid?: number }} server
 * @param {() => Promise<void>} stop
 * @returns {Promise<import('./compare.js').Running>}
 */
async function running({ folder, resource }, row, { origin, pid }, stop) {
  const file = join(mkdtempSync(join(folder, 'load-')), 'bodies');
  const prepared = await row.prepare({
    keep: (bodies) => {
      writeFileSync(file, [...bodies, ''].join('\n'));
      return file;
    },
    peer: await discover(origin),
    resource,
  });
  return {
    origin,
    pid,
    prepared,
    close: async () => {
      await stop();
      rmSync(file, { force: true });
    },
  };
}
