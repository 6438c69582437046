import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discover } from '../rows/peer.js';
import { startServer } from './child.js';
import { writeLines } from './write-lines.js';

/**
 * @typedef {import('./compare.js').Side} Side
 * @typedef {import('../rows/rows.js').Row} Row
 *
 * @typedef {object} Bench
 * @property {import('./machine.js').Cores} cores
 * @property {import('./compare.js').Pace} pace
 * @property {import('../rows/id-jags.js').BenchProvider} provider
 * @property {string} folder for what is sent and stored, gone at the end
 * @property {string} resource the path that is called with a token
 *
 * How one of our mocks is run.
 * @typedef {object} Setup
 * @property {string} dist the built project
 * @property {number} [replicas] Default: 1
 * @property {() => Promise<Partial<import('../servers/mock.js').MockSettings>>} [settings] of each start
 * @property {readonly string[]} [under] a program that runs it, with its arguments
 */

/** @returns {string} */
export function makeFolder() {
  return mkdtempSync(join(tmpdir(), 'agent-auth-bench-'));
}

/**
 * One of our mocks, each replica in a process of its own.
 *
 * @param {Bench} bench
 * @param {string} name
 * @param {Setup} setup
 * @returns {Side}
 */
export function mockSide(bench, name, { dist, replicas = 1, settings = async () => ({}), under }) {
  const { cores, provider } = bench;
  return {
    name,
    start: async (row) => {
      const own = await settings();
      const { issuer, jwks } = provider;
      const options = { ...row.options, ...own.options };
      const shared = { dist, role: row.role, port: 0, trust: { issuer, jwks }, ...own, options };
      /** @type {import('./child.js').Child[]} */
      const servers = [];
      const stop = async () => {
        for (const server of servers) await server.close();
      };
      try {
        while (servers.length < replicas) {
          const [first] = servers;
          const replica = first === undefined ? shared : { ...shared, issuer: first.origin };
          servers.push(await startServer('mock.js', replica, cores.server, under));
        }
        return await running(bench, row, { servers, stop });
      } catch (error) {
        await stop();
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
      return { origins: [origin], pids: [pid], prepared, close };
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
  return {
    name,
    start: (row) => running(bench, row, { servers: [server], stop: async () => {} }),
  };
}

/**
 * @param {Bench} bench
 * @param {Row} row
 * @param {{ servers: readonly { origin: string, pid?: number }[], stop: () => Promise<void> }} started
 * @returns {Promise<import('./compare.js').Running>}
 */
async function running({ folder, pace, provider, resource }, row, { servers, stop }) {
  const file = join(mkdtempSync(join(folder, 'load-')), 'bodies');
  const origins = servers.map(({ origin }) => origin);
  const peer = await discover(origins[0] ?? '');
  const prepared = await row.prepare({
    keep: (bodies) => writeLines(file, bodies),
    peer,
    provider,
    resource,
    seconds: pace.warmUp + pace.seconds,
  });
  return {
    origins,
    pids: servers.flatMap(({ pid }) => pid ?? []),
    prepared,
    close: async () => {
      await stop();
      rmSync(file, { force: true });
    },
  };
}
