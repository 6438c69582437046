// Measures this project on this machine: `npm run bench -- --help`. Built first.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { chooseCores, describeMachine } from './measure/machine.js';
import { makeFolder } from './measure/sides.js';
import { isWrkThere, WRK_MISSING } from './measure/wrk.js';
import { HELP, readOptions } from './options.js';
import { measureMocks } from './parts/mocks.js';
import { measureProgram } from './parts/program.js';

/** @type {Record<import('./options.js').PartName, (work: import('./measure/sides.js').Work) => Promise<boolean>>} */
const PARTS = { mocks: measureMocks, program: measureProgram };

const given = optionsOrReason(process.argv.slice(2));
if (typeof given === 'string') {
  process.stderr.write(`${given}\n`);
  process.exitCode = 2;
} else if (given.help) {
  process.stdout.write(HELP);
} else if (isWrkThere() || !given.parts.includes('mocks')) {
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
  const { connections, parts, runs, seconds, warmUp } = options;
  const cores = chooseCores();
  tell(describeMachine(cores));
  const folder = makeFolder();
  const pace = { connections, runs, seconds, warmUp, client: cores.client };
  const dist = join(import.meta.dirname, '../dist');
  const bench = { cores, dist, folder, pace };
  try {
    for (const part of parts) {
      tell(`\n${part}`);
      if (!(await PARTS[part]({ bench, options, tell }))) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} text */
function tell(text) {
  process.stdout.write(`${text}\n`);
}
