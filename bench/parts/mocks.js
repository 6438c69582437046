import { compare } from '../measure/compare.js';
import { limitSide, mockSide } from '../measure/sides.js';
import { resultTable } from '../tables.js';

/**
 * What each part is given.
 * @typedef {object} Work
 * @property {import('../measure/sides.js').Bench} bench
 * @property {import('../options.js').Options} options
 * @property {string} dist of this checkout
 * @property {(text: string) => void} tell
 */

/**
 * Each row of the mocks beside its limit; and, where one is named, beside the same mock of another checkout.
 * @param {Work} work
 */
export async function measureMocks({ bench, dist, options, tell }) {
  const { before } = options;
  const sides = [
    mockSide(bench, 'mock', { dist }),
    limitSide(bench),
    ...(before === undefined ? [] : [mockSide(bench, 'before', { dist: before })]),
  ];
  const results = await compare(options.rows, sides, bench.pace, tell);
  tell(`\n${resultTable(results)}`);
  return { pace: bench.pace, results };
}
