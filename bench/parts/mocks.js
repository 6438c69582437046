import { compare } from '../measure/compare.js';
import { limitSide, mockSide } from '../measure/sides.js';
import { hasResults, resultTable } from '../tables.js';

/**
 * Each row of the mocks beside its limit.
 * @param {import('../measure/sides.js').Work} work
 */
export async function measureMocks({ bench, options, tell }) {
  const sides = [mockSide(bench), limitSide(bench)];
  const results = await compare(options.rows, sides, bench.pace, tell);
  tell(`\n${resultTable(results)}`);
  return hasResults(results);
}
