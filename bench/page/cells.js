import { ratios, spread } from '../measure/statistics.js';

/** What stands where nothing was measured. */
export const NOTHING = '–';

/** @param {readonly number[]} values */
export function perSecond(values) {
  if (values.length === 0) return NOTHING;
  const { max, median, min } = spread(values);
  return `${count(median)} (${count(min)} – ${count(max)})`;
}

/**
 * How the first compare to the others, run by run.
 * @param {readonly number[] | undefined} values
 * @param {readonly number[] | undefined} others
 */
export function ratio(values, others) {
  if (values === undefined || others === undefined || values.length === 0) return NOTHING;
  if (values.length !== others.length) return NOTHING;
  const { max, median, min } = ratios(values, others);
  return `${digits(median)} (${digits(min)} – ${digits(max)})`;
}

/**
 * Whether a median ratio reaches what is wanted.
 * @param {readonly number[] | undefined} values
 * @param {readonly number[] | undefined} others
 * @param {number} wanted
 * @param {'least' | 'most'} [bound]
 */
export function verdict(values, others, wanted, bound = 'least') {
  const shown = `${bound === 'least' ? '≥' : '≤'} ${wanted}`;
  if (values === undefined || others === undefined || values.length === 0) return shown;
  if (values.length !== others.length) return shown;
  const { median } = ratios(values, others);
  return `${shown}, ${reaches(median, wanted, bound) ? 'reached' : '**missed**'}`;
}

/** @param {number} value @param {number} wanted @param {'least' | 'most'} bound */
export function reaches(value, wanted, bound) {
  return bound === 'least' ? value >= wanted : value <= wanted;
}

/** @param {number} number */
export function count(number) {
  return Math.round(number).toLocaleString('en');
}

/** @param {number} number */
export function digits(number) {
  if (!Number.isFinite(number)) return NOTHING;
  return number.toFixed(number < 10 ? 2 : 0);
}

/**
 * Why a row has no result, or undefined where it has one.
 * @param {import('../measure/compare.js').RowResult} result
 */
export function noResult({ cannot, sides }) {
  if (cannot !== undefined) return cannot;
  const [found] = Object.entries(sides).filter(([, { errors }]) => errors > 0);
  return found === undefined ? undefined : `${found[1].errors} wrong answers of ${found[0]}`;
}
