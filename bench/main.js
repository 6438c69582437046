// Measures this project on this machine: `npm run bench -- --help`. Built first.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { addFigures } from './figures.js';
import { chooseCores, describeMachine } from './measure/machine.js';
import { makeFolder } from './measure/sides.js';
import { isWrkThere, WRK_MISSING } from './measure/wrk.js';
import { HELP, readOptions } from './options.js';
import { noResult } from './page/cells.js';
import { writePage } from './page/write-page.js';
import { measureAgainst } from './parts/against.js';
import { measureFile } from './parts/file.js';
import { measureLibrary } from './parts/library.js';
import { measureMillion } from './parts/million.js';
import { measureMocks } from './parts/mocks.js';
import { measurePostgres } from './parts/postgres.js';
import { measureProgram } from './parts/program.js';
import { measureSettings } from './parts/settings.js';
import { measureSuite } from './parts/suite.js';
import { BenchProvider } from './rows/id-jags.js';

/** @typedef {(work: import('./parts/mocks.js').Work) => Promise<object | undefined>} Measure */

/** @type {Record<import('./options.js').PartName, Measure>} */
const PARTS = {
  mocks: measureMocks,
  against: measureAgainst,
  file: measureFile,
  postgres: measurePostgres,
  settings: measureSettings,
  program: measureProgram,
  library: measureLibrary,
  suite: measureSuite,
  million: measureMillion,
};

/** Those that send nothing with wrk. */
const WITHOUT_WRK = ['program', 'library', 'suite', 'million'];

const given = optionsOrReason(process.argv.slice(2));
if (typeof given === 'string') {
  process.stderr.write(`${given}\n`);
  process.exitCode = 2;
} else if (given.help) {
  process.stdout.write(HELP);
} else if (isWrkThere() || given.parts.every((part) => WITHOUT_WRK.includes(part))) {
  await measureAll(given);
} else {
  process.stderr.write(WRK_MISSING);
  process.exitCode = 2;
}

/** @param {readonly string[]} args @returns {import('./options.js').Options | string} */
function optionsOrReason(args) {
  try {
    return readOptions(args);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

/** @param {import('./options.js').Options} options */
async function measureAll(options) {
  const { connections, json, parts, providerPort, resource, runs, seconds, warmUp, write } =
    options;
  const cores = chooseCores();
  const machine = describeMachine(cores);
  tell(
    `node ${machine.node}, ${machine.cores} cores of ${machine.processor}, ${cores.description}`,
  );
  const folder = makeFolder();
  const provider = new BenchProvider(`http://127.0.0.1:${providerPort ?? 4801}`);
  const pace = { connections, runs, seconds, warmUp, client: cores.client };
  const bench = { cores, folder, pace, provider, resource };
  try {
    for (const part of parts) {
      tell(`\n${part}`);
      const work = { bench, options, dist: join(import.meta.dirname, '../dist'), tell };
      const figures = await PARTS[part](work);
      if (hasWrongAnswers(figures)) process.exitCode = 1;
      if (figures !== undefined && json !== undefined)
        addFigures(json, part, { machine, ...figures });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (write && json !== undefined) writePage(json);
}

/** Whether some row has no result. @param {object | undefined} figures */
function hasWrongAnswers(figures) {
  if (figures === undefined || !('results' in figures)) return false;
  return /** @type {import('./measure/compare.js').RowResult[]} */ (figures.results).some(
    (result) => noResult(result) !== undefined,
  );
}

/** @param {string} text */
function tell(text) {
  process.stdout.write(`${text}\n`);
}
