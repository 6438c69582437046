import { join } from 'node:path';
import { importSource } from '../../scripts/docs/import-source.js';
import { compare } from '../measure/compare.js';
import { mockSide } from '../measure/sides.js';
import { resultTable } from '../tables.js';

/** As many as the wanted figures are about. */
const PARALLEL = 32;
const WRITING = ['register', 'exchange', 'poll'];

/**
 * The mock on PostgreSQL, one process and two. Everything shares all cores: the server of the database is a
 * third party that needs them too.
 * @param {import('./mocks.js').Work} work
 */
export async function measurePostgres({ bench: given, dist, options, tell }) {
  const pace = { ...given.pace, connections: PARALLEL, client: undefined };
  const bench = { ...given, pace, cores: { ...given.cores, server: undefined } };
  const rows = options.rows.filter(({ id }) => WRITING.includes(id));
  return withPostgres(tell, async (newDatabase) => {
    const settings = async () => ({ url: await newDatabase() });
    const two = (/** @type {string} */ name, /** @type {string} */ from) => [
      mockSide(bench, `${name}two`, { dist: from, replicas: 2, settings }),
      mockSide(bench, `${name}one`, { dist: from, settings }),
    ];
    const before = options.before === undefined ? [] : two('before-', options.before);
    const results = await compare(rows, [...two('', dist), ...before], pace, tell);
    tell(`\n${resultTable(results)}`);
    return { pace, results };
  });
}

/**
 * A server of PostgreSQL with its own defaults, gone at the end. `undefined` where none is installed.
 *
 * @template T
 * @param {(line: string) => void} tell
 * @param {(newDatabase: () => Promise<string>) => Promise<T>} work
 * @returns {Promise<T | undefined>}
 */
export async function withPostgres(tell, work) {
  const root = join(import.meta.dirname, '../..');
  /** @type {typeof import('../../test/support/postgres-server.ts')} */
  const { findPostgres, PostgresServer } = /** @type {any} */ (
    await importSource(root, 'test/support/postgres-server.ts')
  );
  const programs = findPostgres(process.env['PATH'] ?? '');
  if (programs === undefined) {
    tell('PostgreSQL is not measured: it is not installed (Debian: apt-get install postgresql)');
    return undefined;
  }
  const server = new PostgresServer(programs, '');
  await server.start();
  try {
    return await work(() => server.newDatabase());
  } finally {
    await server.stop();
  }
}
