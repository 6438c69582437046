import { cpuTime } from './cpu-time.js';
import { shuffled } from './statistics.js';
import { runWrk } from './wrk.js';

/**
 * What serves a row, ready for its load.
 * @typedef {object} Running
 * @property {string} origin
 * @property {number} pid of the server
 * @property {import('../rows/rows.js').Prepared} prepared
 * @property {() => Promise<void>} close
 *
 * One of the servers that are compared, started anew for each run.
 * @typedef {object} Side
 * @property {string} name
 * @property {(row: import('../rows/rows.js').Row, first: Running | undefined) => Promise<Running>} start
 *   `first`: the first side, which the others may follow
 *
 * @typedef {object} Pace
 * @property {number} runs
 * @property {number} seconds that a run lasts
 * @property {number} warmUp seconds before it
 * @property {number} connections
 * @property {number | undefined} client the core of the client
 *
 * What a side came to.
 * @typedef {object} Result
 * @property {number[]} rates answers a second, run by run
 * @property {number[]} cpu of the server for an answer, in microseconds, run by run; where it can be read
 * @property {number} errors of all runs
 *
 * @typedef {object} RowResult
 * @property {string} id
 * @property {Record<string, Result>} sides
 */

/**
 * Rows in random order, in each row the sides in random order, run after run.
 *
 * @param {readonly import('../rows/rows.js').Row[]} rows
 * @param {readonly Side[]} sides
 * @param {Pace} pace
 * @param {(line: string) => void} tell
 * @returns {Promise<RowResult[]>}
 */
export async function compare(rows, sides, pace, tell) {
  /** @type {Map<string, RowResult>} */
  const results = new Map(rows.map(({ id }) => [id, { id, sides: emptySides(sides) }]));
  for (let run = 1; run <= pace.runs; run += 1) {
    for (const row of shuffled(rows)) {
      const result = results.get(row.id);
      if (result === undefined) continue;
      await measureOnce(row, sides, pace, result);
      tell(`run ${run} of ${pace.runs}: ${row.name}: ${latest(result)}`);
    }
  }
  return [...results.values()];
}

/** @param {readonly Side[]} sides @returns {Record<string, Result>} */
function emptySides(sides) {
  return Object.fromEntries(sides.map(({ name }) => [name, { rates: [], cpu: [], errors: 0 }]));
}

/**
 * @param {import('../rows/rows.js').Row} row
 * @param {readonly Side[]} sides
 * @param {Pace} pace
 * @param {RowResult} result
 */
async function measureOnce(row, sides, pace, result) {
  /** @type {{ name: string, running: Running }[]} */
  const started = [];
  try {
    for (const { name, start } of sides) {
      started.push({ name, running: await start(row, started[0]?.running) });
    }
    for (const { name, running } of shuffled(started)) {
      const warm = await shoot(running, pace, pace.warmUp);
      const shot = await shoot(running, pace, pace.seconds);
      const side = result.sides[name];
      if (side === undefined) continue;
      side.rates.push(Math.round(shot.rate));
      if (shot.cpu !== undefined) side.cpu.push(Math.round(shot.cpu));
      side.errors += warm.errors + shot.errors;
    }
  } finally {
    for (const { running } of started) await running.close();
  }
}

/**
 * @param {Running} running
 * @param {Pace} pace
 * @param {number} seconds
 */
async function shoot({ origin, pid, prepared }, pace, seconds) {
  const { client: core, connections } = pace;
  const { load } = prepared;
  const before = cpuTime(pid);
  const { answers, errors, rate } = await runWrk({
    origin,
    load,
    connections,
    seconds,
    core,
  });
  const after = cpuTime(pid);
  return {
    rate,
    answers,
    cpu: before === undefined || after === undefined ? undefined : (after - before) / answers,
    // A server that answered nothing is no slow one.
    errors: errors + (answers === 0 ? 1 : 0),
  };
}

/** @param {RowResult} result */
function latest({ sides }) {
  return Object.entries(sides)
    .map(([name, { rates }]) => `${name} ${rates.at(-1)?.toLocaleString('en')}`)
    .join(', ');
}
