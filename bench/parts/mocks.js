import { startServer } from '../measure/child.js';
import { compare } from '../measure/compare.js';
import { limitSide, mockSide, runningSide } from '../measure/sides.js';
import { hasResults, resultTable } from '../tables.js';

/** @typedef {import('../measure/sides.js').Work} Work */

/**
 * Each row of the mocks beside its limit.
 * @param {Work} work
 */
export async function measureMocks({ bench, options, tell }) {
  const sides = [mockSide(bench), limitSide(bench)];
  const results = await compare(options.rows, sides, bench.pace, tell);
  tell(`\n${resultTable(results)}`);
  return hasResults(results);
}

/**
 * The same load at our mock and at a service that somebody else runs. Both keep what they were sent from run to
 * run, so that neither has the advantage of an empty store.
 * @param {Work} work
 */
export async function measureAgainst({ bench, options, tell }) {
  const { against = '', rows: all } = options;
  const rows = all.filter(({ role }) => role === 'service');
  const settings = {
    dist: bench.dist,
    role: 'service',
    options: Object.assign({}, ...rows.map((row) => row.options)),
  };
  const mock = await startServer('mock.js', settings, bench.cores.server);
  try {
    const other = { origin: new URL(against).origin };
    const sides = [runningSide(bench, 'mock', mock), runningSide(bench, 'other', other)];
    const results = await compare(rows, sides, bench.pace, tell);
    tell(`\n${resultTable(results)}`);
    return hasResults(results);
  } finally {
    await mock.close();
  }
}
