import { compare } from '../measure/compare.js';
import { mockSide } from '../measure/sides.js';
import { resultTable } from '../tables.js';
import { onFiles } from './file.js';
import { withPostgres } from './postgres.js';

const ROWS = ['metadata', 'call', 'register', 'exchange'];

/**
 * What each setting costs its user, beside the mock with none of them.
 * @param {import('./mocks.js').Work} work
 */
export async function measureSettings({ bench: given, dist, options, tell }) {
  const { pace } = given;
  const short = { ...pace, runs: Math.min(pace.runs, 3), seconds: Math.min(pace.seconds, 3) };
  const bench = { ...given, pace: short };
  const rows = options.rows.filter(({ id }) => ROWS.includes(id));
  const own = (/** @type {object} */ given) => ({ dist, settings: async () => given });
  const sides = [
    mockSide(bench, 'memory', { dist }),
    mockSide(bench, 'file', { dist, settings: onFiles(bench) }),
    mockSide(bench, 'unrecorded', own({ options: { exchanges: 0 } })),
    mockSide(bench, 'log', own({ log: true })),
  ];
  const run = async (/** @type {typeof sides} */ all) => {
    const results = await compare(rows, all, bench.pace, tell);
    tell(`\n${resultTable(results)}`);
    return { pace: bench.pace, results };
  };
  const withDatabase = await withPostgres(tell, (newDatabase) =>
    run([
      ...sides,
      mockSide(bench, 'postgres', { dist, settings: async () => ({ url: await newDatabase() }) }),
    ]),
  );
  return withDatabase ?? run(sides);
}
