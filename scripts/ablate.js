// Removes what each row of the specification rests on, in memory, and shows which named test goes red.
// Needs the report of a whole `npm test`. `npm run ablate -- AR-EP-2 AR-STATE-6` does some rows only.
import { join } from 'node:path';
import { ablate, ablationTable } from './spec/ablate.js';
import { readRows } from './spec/rows.js';
import { REPORT_FILE, readReport } from './spec/test-report.js';

const root = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);

const all = readRows(root);
const unknown = wanted.filter((id) => !all.some((row) => row.id === id));
if (unknown.length > 0) {
  process.stderr.write(`no such row: ${unknown.join(', ')}\n`);
  process.exit(2);
}
const rows = all.filter((row) =>
  wanted.length > 0 ? wanted.includes(row.id) : row.issue !== 'later',
);
const report = readReport(join(root, REPORT_FILE), root);

const ablations = await ablate(root, rows, report, ({ row, red, problem }) => {
  process.stderr.write(`${row.id}: ${problem ?? `${red.length} red`}\n`);
});
process.stdout.write(ablationTable(ablations));

const unproven = ablations.filter(({ problem }) => problem !== undefined);
process.stderr.write(`${ablations.length - unproven.length} rows proven, ${unproven.length} not\n`);
if (unproven.length > 0) process.exitCode = 1;
