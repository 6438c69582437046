/**
 * The middle of the values, the upper one of two.
 * @param {readonly number[]} values at least one
 */
export function median(values) {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new RangeError('There is no median of nothing.');
  return middle;
}

/**
 * Each value against its own twin, round by round, so that what slowed one down slowed both: the median, and from
 * where to where they went.
 *
 * @param {readonly number[]} values
 * @param {readonly number[]} others as many
 * @returns {string} such as `2.31 × (2.20 – 2.54)`
 */
export function ratio(values, others) {
  const all = values.map((value, round) => value / (others[round] ?? Number.NaN));
  const [middle, least, most] = [median(all), Math.min(...all), Math.max(...all)];
  return `${middle.toFixed(2)} × (${least.toFixed(2)} – ${most.toFixed(2)})`;
}
