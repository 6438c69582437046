import { closeSync, fdatasyncSync, openSync, readFileSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../measure/compare.js';
import { isThere } from '../measure/machine.js';
import { mockSide } from '../measure/sides.js';
import { spread } from '../measure/statistics.js';
import { runWrk } from '../measure/wrk.js';
import { resultTable } from '../tables.js';

/** As many as the wanted figures are about. */
const PARALLEL = 16;
/** Each of their answers is a commit. */
const WRITING = ['register', 'exchange', 'poll'];
const PAGE = 4096;
/** In which nothing is written to a disk, so that a sync costs nothing (statfs(2)). */
const TMPFS = 0x01021994;

/**
 * The mock on a file beside the mock in memory, and how many commits share a sync.
 * @param {import('./mocks.js').Work} work
 */
export async function measureFile(work) {
  const { options, tell } = work;
  const bench = { ...work.bench, pace: { ...work.bench.pace, connections: PARALLEL } };
  const isInMemory = statfsSync(bench.folder).type === TMPFS;
  if (isInMemory) tell(`${bench.folder} is in memory: syncs cost nothing there. Set TMPDIR.`);
  const rows = options.rows.filter(({ id }) => WRITING.includes(id));
  const file = onFiles(bench);
  const sides = [
    mockSide(bench, 'file', { dist: work.dist, settings: file }),
    mockSide(bench, 'memory', { dist: work.dist }),
    ...(options.before === undefined
      ? []
      : [mockSide(bench, 'before', { dist: options.before, settings: file })]),
  ];
  const results = await compare(rows, sides, bench.pace, tell);
  tell(`\n${resultTable(results)}`);
  const sync = timeSyncs(join(bench.folder, 'sync'));
  tell(`\none write and sync of ${PAGE} bytes takes ${Math.round(sync.median)} µs here`);
  const shared = await countSyncs({ ...work, bench }, rows);
  return { pace: bench.pace, results, sync, shared, isInMemory };
}

/**
 * A fresh file for each start.
 * @param {import('../measure/sides.js').Bench} bench
 */
export function onFiles({ folder }) {
  let files = 0;
  return async () => {
    files += 1;
    return { file: join(folder, `store-${process.pid}-${files}.db`) };
  };
}

/**
 * How many answers, each of which is a commit, one sync carries: counted by strace, in runs of their own.
 *
 * @param {import('./mocks.js').Work} work
 * @param {readonly import('../rows/rows.js').Row[]} rows
 */
async function countSyncs({ bench, dist, tell }, rows) {
  if (!isThere('strace')) {
    tell('syncs were not counted: strace is missing (Debian: apt-get install strace)');
    return undefined;
  }
  /** @type {{ id: string, answers: number, syncs: number, errors: number }[]} */
  const counted = [];
  for (const row of rows) {
    const trace = join(bench.folder, `syncs-${row.id}`);
    const under = [
      'strace',
      '-f',
      '-qq',
      '--seccomp-bpf',
      '-e',
      'trace=fsync,fdatasync',
      '-o',
      trace,
    ];
    const side = mockSide(bench, 'file', { dist, settings: onFiles(bench), under });
    const running = await side.start(row, undefined);
    const before = syncsIn(trace);
    const { answers, errors } = await runWrk({
      origin: running.origins[0] ?? '',
      load: running.prepared.load,
      ...bench.pace,
      skip: 0,
      core: bench.pace.client,
    }).finally(running.close);
    const syncs = syncsIn(trace) - before;
    tell(
      `${row.id}: ${answers} commits, ${syncs} syncs: ${(answers / syncs).toFixed(1)} share one`,
    );
    counted.push({ id: row.id, answers, syncs, errors });
  }
  return counted;
}

/** @param {string} trace as strace writes it: a call that another thread interrupts has two lines */
function syncsIn(trace) {
  return readFileSync(trace, 'utf8').match(/\bf(?:data)?sync\(/g)?.length ?? 0;
}

/** What this disk can do: one page written and synced, in microseconds. @param {string} file */
function timeSyncs(file) {
  const handle = openSync(file, 'w');
  const page = Buffer.alloc(PAGE, 1);
  const times = Array.from({ length: 200 }, () => {
    const start = performance.now();
    writeSync(handle, page);
    fdatasyncSync(handle);
    return (performance.now() - start) * 1000;
  });
  closeSync(handle);
  return spread(times);
}
