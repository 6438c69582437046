import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discover } from '../rows/peer.js';
import { startServer } from './child.js';

/**
 * @typedef {import('./compare.js').Side} Side
 *
 * @typedef {object} Bench
 * @property {import('./machine.js').Cores} cores
 * @property {string} dist the built project
 * @property {import('./compare.js').Pace} pace
 * @property {string} folder for what is sent, gone at the end
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
export function mockSide({ cores, dist, folder }) {
  return {
    name: 'mock',
    start: async ({ options, prepare, role }) => {
      const server = await startServer('mock.js', { dist, role, options }, cores.server);
      const { origin, pid } = server;
      const file = join(mkdtempSync(join(folder, 'load-')), 'bodies');
      const keep = (/** @type {readonly string[]} */ bodies) => {
        writeFileSync(file, [...bodies, ''].join('\n'));
        return file;
      };
      const close = async () => {
        await server.close();
        rmSync(file, { force: true });
      };
      try {
        return {
          origin,
          pid,
          close,
          prepared: await prepare({ keep, peer: await discover(origin) }),
        };
      } catch (error) {
        await close();
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
