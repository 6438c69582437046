/**
 * The middle of the values; the mean of the two middle ones where their number is even.
 * @param {readonly number[]} values at least one
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  if (upper === undefined) throw new RangeError('There is no median of nothing.');
  const lower = Number.isInteger(middle) ? (sorted[middle - 1] ?? upper) : upper;
  return (lower + upper) / 2;
}

/**
 * What repeated runs came to.
 * @typedef {object} Spread
 * @property {number} median
 * @property {number} min
 * @property {number} max
 *
 * @param {readonly number[]} values at least one
 * @returns {Spread}
 */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * Each value against its own twin: run by run, so that what slowed one run down slowed both.
 *
 * @param {readonly number[]} values
 * @param {readonly number[]} others as many
 * @returns {Spread}
 */
export function ratios(values, others) {
  if (values.length !== others.length) throw new RangeError('Each run has both sides.');
  return spread(values.map((value, run) => value / (others[run] ?? Number.NaN)));
}

/**
 * A copy in random order.
 * @template T
 * @param {readonly T[]} items
 * @returns {T[]}
 */
export function shuffled(items) {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
