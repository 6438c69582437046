// What the mocks answer in a second, each beside a bare handler that does only the work it cannot do without:
// `npm run bench -- --help`. Built first.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './measure/compare.js';
import { chooseCores, describeMachine } from './measure/machine.js';
import { limitSide, makeFolder, mockSide } from './measure/sides.js';
import { isWrkThere, WRK_MISSING } from './measure/wrk.js';
import { HELP, readOptions } from './options.js';
import { BenchProvider } from './rows/id-jags.js';
import { ROWS } from './rows/rows.js';
import { resultTable } from './tables.js';

const options = readOptions(process.argv.slice(2));
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
if (!isWrkThere()) {
  process.stderr.write(WRK_MISSING);
  process.exit(2);
}
const cores = chooseCores();
const machine = describeMachine(cores);
process.stdout.write(
  `node ${machine.node}, ${machine.cores} cores of ${machine.processor}, ${cores.description}\n`,
);
const folder = makeFolder();
try {
  const { connections, runs, seconds, warmUp } = options;
  const pace = { connections, runs, seconds, warmUp, client: cores.client };
  const bench = { cores, pace, folder, provider: new BenchProvider('http://127.0.0.1:4801') };
  const rows = ROWS.filter(({ id }) => options.rows.includes(id));
  const sides = [
    mockSide(bench, 'mock', join(import.meta.dirname, '../dist')),
    limitSide(bench),
    ...(options.before === undefined
      ? []
      : [mockSide(bench, 'before', join(options.before, 'dist'))]),
  ];
  const results = await compare(rows, sides, pace, (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`\n${resultTable(results)}\n`);
  if (options.json !== undefined) {
    const report = { machine, date: new Date().toISOString(), parts: { mocks: { pace, results } } };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
