import { median, ratios, spread } from './measure/statistics.js';

/**
 * Whether each row has a result: a rate of wrong answers is none.
 * @param {readonly import('./measure/compare.js').RowResult[]} results
 */
export function hasResults(results) {
  return results.every(({ sides }) => Object.values(sides).every(({ errors }) => errors === 0));
}

/**
 * @param {readonly import('./measure/compare.js').RowResult[]} results
 * @returns {string} a line for each side of each row, for a terminal
 */
export function resultTable(results) {
  const head = ['row', 'side', 'answers/s', 'from – to', 'CPU µs', 'first/this', 'by CPU'];
  const lines = results.flatMap(({ id, sides }) => sideLines(id, sides));
  return [head, ...lines].map(inColumns).join('\n');
}

/**
 * @param {string} id
 * @param {import('./measure/compare.js').RowResult['sides']} sides
 */
function sideLines(id, sides) {
  const [first] = Object.values(sides);
  return Object.entries(sides).map(([name, side]) => {
    if (first === undefined) return [];
    const { max, median: middle, min } = spread(side.rates);
    const cpu = side.cpu.length === 0 ? '' : String(Math.round(median(side.cpu)));
    return [
      ...[id, name, count(middle), `${count(min)} – ${count(max)}`, cpu],
      ...(side === first ? ['', ''] : [twoDigits(first.rates, side.rates), cpuRatio(first, side)]),
      side.errors === 0 ? '' : `NO RESULT: ${side.errors} errors`,
    ];
  });
}

/** @param {import('./measure/compare.js').Result} first @param {import('./measure/compare.js').Result} side */
function cpuRatio(first, side) {
  if (first.cpu.length === 0 || first.cpu.length !== side.cpu.length) return '';
  return twoDigits(side.cpu, first.cpu);
}

/** @param {readonly number[]} values @param {readonly number[]} others */
function twoDigits(values, others) {
  const { median: middle } = ratios(values, others);
  return Number.isFinite(middle) ? middle.toFixed(2) : '';
}

/** @param {number} number */
function count(number) {
  return Math.round(number).toLocaleString('en');
}

const WIDTHS = [12, 10, -10, -19, -8, -11, -8];

/** @param {readonly string[]} cells */
function inColumns(cells) {
  return cells
    .map((cell, column) => {
      const width = WIDTHS[column] ?? 0;
      return width < 0 ? cell.padStart(-width) : `${column > 6 ? '  ' : ''}${cell.padEnd(width)}`;
    })
    .join('')
    .trimEnd();
}
