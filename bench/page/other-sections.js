import { table } from '../../scripts/docs/markdown.js';
import { median, spread } from '../measure/statistics.js';
import { baseOf } from '../parts/program.js';
import { digits, NOTHING, perSecond, ratio, reaches, verdict } from './cells.js';
import { LIBRARY_WANTED, MILLION_WANTED, PROGRAM, PURGE_WANTED, SUITE_WANTED } from './texts.js';

/** @param {{ times: Record<string, number[]>, requests: string[] }} figures */
export function programSection({ requests, times }) {
  const rounds = times['node -e 0']?.length ?? 0;
  return [
    '## The program',
    `Wall-clock time from start to end, ${rounds} rounds, each with all of them in random order. \`token\` has a stored token with more than five minutes left. \`call\` sends ${requests.map((each) => `\`${each}\``).join(', ')} to a bare handler; a bundled program that sends the same with undici, and nothing else, is what it is compared with.`,
    table(
      ['command', 'ms', 'compared with', 'ratio', 'wanted', 'before, ms'],
      Object.entries(times)
        .filter(([name]) => !name.startsWith('before: '))
        .map(([name, each]) => {
          const base = baseOf(name);
          const wanted = PROGRAM[name]?.wanted;
          return [
            `\`${name}\``,
            milliseconds(each),
            name === base ? '' : `\`${base}\``,
            name === base ? '' : ratio(each, times[base]),
            wanted === undefined ? '' : verdict(each, times[base], wanted, 'most'),
            milliseconds(times[`before: ${name}`]),
          ];
        }),
    ),
  ];
}

/** @param {{ rates: Record<string, number[]> }} figures */
export function librarySection({ rates }) {
  const { before, fetch: byFetch, library = [], undici = [] } = rates;
  return [
    '## The library',
    '1,000 times register, exchange and call, 32 at a time: agents with a store in memory each, at a service that was discovered once, to a bare handler in another process; beside `Pool.request` of undici that sends the same three. The library sends as `new Agent()` does: while the global `fetch` is the runtime’s own, straight to its dispatcher. A process for each run.',
    table(
      [
        'library, times a second',
        'undici',
        'ratio',
        'wanted',
        'global `fetch` to undici',
        'to before',
      ],
      [
        [
          perSecond(library),
          perSecond(undici),
          ratio(library, undici),
          verdict(library, undici, LIBRARY_WANTED),
          ratio(byFetch, undici),
          ratio(library, before),
        ],
      ],
    ),
  ];
}

/** @param {{ runs: import('../parts/suite.js').SuiteRun[] }} figures */
export function suiteSection({ runs }) {
  return [
    '## The suite',
    'On all cores. The provider, service and agent that are judged are those of this project.',
    table(
      ['run', 'seconds', 'wanted', 'checks', 'before, seconds'],
      runs
        .filter(({ name }) => !name.startsWith('before: '))
        .map(({ checks, failed, name, seconds }) => {
          const wanted = SUITE_WANTED[name];
          const before = runs.find((each) => each.name === `before: ${name}`);
          const isReached = wanted !== undefined && reaches(median(seconds), wanted, 'most');
          return [
            `\`${name}\``,
            failed === 0 ? oneDigit(seconds) : `no result: ${failed} runs failed`,
            wanted === undefined ? '' : `≤ ${wanted}, ${isReached ? 'reached' : '**missed**'}`,
            checks.length === 0 ? '' : String(Math.min(...checks)),
            before === undefined ? NOTHING : oneDigit(before.seconds),
          ];
        }),
    ),
  ];
}

/**
 * @typedef {object} MillionStore
 * @property {import('../million/measure.js').EndpointResult[]} endpoints
 * @property {import('../million/measure.js').PurgeResult} purge
 *
 * @param {{ few: number, many: number, calls: number, stores: Record<string, MillionStore> }} figures
 */
export function millionSection({ calls, few, many, stores }) {
  const names = Object.keys(stores);
  const ids = [...new Set(names.flatMap((name) => endpointsOf(stores[name]).map(({ id }) => id)))];
  const count = (/** @type {number} */ number) => number.toLocaleString('en');
  return [
    `## With ${count(many)} registrations`,
    `Medians of ${calls} calls of each endpoint, in turn at a mock with ${count(few)} registrations and one with ${count(many)}, each in a store with all that comes with them. Wanted: at most ${MILLION_WANTED} times as long.`,
    table(
      ['endpoint', ...names.flatMap((name) => [`${name}: few, µs`, 'many, µs', 'ratio'])],
      ids.map((id) => [
        id,
        ...names.flatMap((name) => {
          const found = endpointsOf(stores[name]).find((each) => each.id === id);
          if (found === undefined) return [NOTHING, NOTHING, NOTHING];
          const missed = found.ratio > MILLION_WANTED ? ' **missed**' : '';
          const { few, many } = found;
          return [
            few.median.toFixed(0),
            many.median.toFixed(0),
            `${found.ratio.toFixed(2)}${missed}`,
          ];
        }),
      ]),
    ),
    ...names.map((name) => purgeText(name, stores[name]?.purge)),
  ];
}

/** @param {string} name @param {MillionStore['purge'] | undefined} purge */
function purgeText(name, purge) {
  if (purge === undefined) return '';
  const { expired, purging, requests, usual } = purge;
  const isReached = reaches(purging.max - usual.median, PURGE_WANTED, 'most');
  return `What has expired is removed in batches, with requests: on ${name === 'file' ? 'a file' : name} ${expired.toLocaleString('en')} expired rows were gone after ${requests.toLocaleString('en')} registrations, of which one took ${digits(purging.median)} ms, the longest ${digits(purging.max)} ms (without anything to remove ${digits(usual.median)} ms, the longest ${digits(usual.max)} ms). Wanted: none is held for more than ${PURGE_WANTED} ms, ${isReached ? 'reached' : '**missed**'}.`;
}

/** @param {MillionStore | undefined} store */
function endpointsOf(store) {
  return store?.endpoints ?? [];
}

/** @param {readonly number[] | undefined} values */
function milliseconds(values) {
  if (values === undefined || values.length === 0) return NOTHING;
  const { max, median: middle, min } = spread(values);
  return `${middle.toFixed(0)} (${min.toFixed(0)} – ${max.toFixed(0)})`;
}

/** @param {readonly number[]} values */
function oneDigit(values) {
  const { max, median: middle, min } = spread(values);
  return min === max
    ? middle.toFixed(1)
    : `${middle.toFixed(1)} (${min.toFixed(1)} – ${max.toFixed(1)})`;
}
