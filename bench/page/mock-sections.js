import { table } from '../../scripts/docs/markdown.js';
import { median } from '../measure/statistics.js';
import { ROWS } from '../rows/rows.js';
import { count, digits, NOTHING, noResult, perSecond, ratio, verdict } from './cells.js';
import {
  AHEAD,
  FILE_WANTED,
  LEFT,
  POSTGRES_WANTED,
  REPLICAS_WANTED,
  SETTINGS,
  SHARED_WANTED,
} from './texts.js';

/**
 * @typedef {import('../measure/compare.js').RowResult} RowResult
 * @typedef {{ results: RowResult[], pace: import('../measure/compare.js').Pace }} Compared
 */

/** @param {Compared} figures */
export function mocksSection({ pace, results }) {
  const withBefore = results.some(({ sides }) => sides['before'] !== undefined);
  const heads = [
    'work',
    'its limit',
    'limit/s',
    'mock/s',
    'ratio',
    'wanted',
    'CPU µs, mock and limit',
  ];
  const rows = results.map((result) => {
    const row = rowOf(result);
    const { before, limit, mock } = result.sides;
    return [
      ...[row.name, row.limit],
      ...(noResult(result) === undefined
        ? [
            ...[perSecond(limit?.rates ?? []), perSecond(mock?.rates ?? [])],
            ratio(mock?.rates, limit?.rates),
            verdict(mock?.rates, limit?.rates, row.wanted),
            `${cpu(mock?.cpu)}, ${cpu(limit?.cpu)}`,
          ]
        : ['', '', `no result: ${noResult(result)}`, `≥ ${row.wanted}`, '']),
      ...(withBefore ? [perSecond(before?.rates ?? []), ratio(mock?.rates, before?.rates)] : []),
    ];
  });
  return [
    '## The mocks',
    `${runsOf(pace)} ${pace.connections} requests at once. CPU is that of the server for one answer, all its threads.`,
    table([...heads, ...(withBefore ? ['before/s', 'to before'] : [])], rows),
    'What the mock does beyond its limit, and why that stays:',
    table(
      ['work', 'beyond the limit'],
      results.map((result) => [rowOf(result).name, LEFT[result.id] ?? '']),
    ),
  ];
}

/**
 * @param {Compared & {
 *   sync: import('../measure/statistics.js').Spread,
 *   shared?: { id: string, answers: number, syncs: number, errors: number }[],
 *   isInMemory: boolean,
 * }} figures
 */
export function fileSection({ isInMemory, pace, results, shared, sync }) {
  return [
    '## The mock on a file',
    `\`--db FILE\`, write-ahead log, \`synchronous=FULL\`: an answer leaves after its commit is on the disk. ${runsOf(pace)} ${pace.connections} requests at once. One page written and synced takes ${count(sync.median)} µs here (${count(sync.min)} – ${count(sync.max)})${isInMemory ? ', because the folder is in memory: these figures say nothing' : ''}.`,
    table(
      ['work', 'in memory/s', 'on a file/s', 'ratio', 'wanted', 'commits to a sync', 'to before'],
      results.map((result) => {
        const { before, file, memory } = result.sides;
        const counted = shared?.find(({ id }) => id === result.id);
        return [
          rowOf(result).name,
          perSecond(memory?.rates ?? []),
          perSecond(file?.rates ?? []),
          noResult(result) ?? ratio(file?.rates, memory?.rates),
          verdict(file?.rates, memory?.rates, FILE_WANTED),
          counted === undefined
            ? 'not counted'
            : `${digits(counted.answers / counted.syncs)} (≥ ${SHARED_WANTED})`,
          ratio(file?.rates, before?.rates),
        ];
      }),
    ),
    'Commits to a sync: strace counts each `fsync` and `fdatasync` of the server in runs of their own, those of checkpoints too, and each answer is a commit.',
  ];
}

/** @param {Compared} figures */
export function postgresSection({ pace, results }) {
  const before = 'before-two';
  return [
    '## The mock on PostgreSQL',
    `A server with its own defaults (each commit synced) on the same machine. Nothing is pinned: database, replicas and wrk share all cores. ${runsOf(pace)} ${pace.connections} requests at once, half of them to each of two replicas.`,
    table(
      ['work', 'one process/s', 'two replicas/s', 'two to one', 'wanted', 'to before', 'wanted'],
      results.map((result) => {
        const { one, two } = result.sides;
        const old = result.sides[before];
        return [
          rowOf(result).name,
          perSecond(one?.rates ?? []),
          perSecond(two?.rates ?? []),
          noResult(result) ?? ratio(two?.rates, one?.rates),
          verdict(two?.rates, one?.rates, REPLICAS_WANTED),
          ratio(two?.rates, old?.rates),
          result.id === 'register' ? verdict(two?.rates, old?.rates, POSTGRES_WANTED) : '',
        ];
      }),
    ),
  ];
}

/** @param {Compared & { label: string }} figures */
export function againstSection({ label, pace, results }) {
  return [
    '## Beside another service',
    `${label}. ${runsOf(pace)} ${pace.connections} requests at once; both keep what they were sent from run to run.`,
    table(
      ['work', 'other/s', 'mock/s', 'ratio', 'wanted'],
      results.map((result) => {
        const { mock, other } = result.sides;
        const wanted = AHEAD[result.id];
        return [
          rowOf(result).name,
          perSecond(other?.rates ?? []),
          perSecond(mock?.rates ?? []),
          noResult(result) ?? ratio(mock?.rates, other?.rates),
          wanted === undefined ? '' : verdict(mock?.rates, other?.rates, wanted),
        ];
      }),
    ),
  ];
}

/** @param {Compared} figures */
export function settingsSection({ pace, results }) {
  const known = Object.entries(SETTINGS);
  return [
    '## What each setting costs',
    `Each beside the mock with none of them. ${runsOf(pace)} ${pace.connections} requests at once.`,
    table(
      ['setting', ...results.map((result) => rowOf(result).name), 'what it gives'],
      known.map(([id, { gives, name }]) => [
        name,
        ...results.map((result) => {
          const rates = result.sides[id]?.rates;
          if (noResult(result) !== undefined) return 'no result';
          if (rates === undefined || rates.length === 0) return NOTHING;
          if (id === 'memory') return `${count(median(rates))}/s`;
          return `${digits(median(rates) / median(result.sides['memory']?.rates ?? rates))} ×`;
        }),
        gives,
      ]),
    ),
  ];
}

/** @param {RowResult} result */
function rowOf({ id }) {
  const row = ROWS.find((each) => each.id === id);
  if (row === undefined) throw new Error(`There is no row ${id}.`);
  return row;
}

/** @param {import('../measure/compare.js').Pace} pace */
function runsOf({ runs, seconds, warmUp }) {
  const many = runs === 1 ? 'One run' : `${runs} runs`;
  return `${many} of ${seconds} s after ${warmUp} s to warm up,`;
}

/** @param {readonly number[] | undefined} values */
function cpu(values = []) {
  return values.length === 0 ? NOTHING : count(median(values));
}
