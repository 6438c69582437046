// Writes docs/spec-map.md and docs/deviations.md from the last `npm test`; with --check, fails when one
// differs, when a row is unproven, or when its tests assert something else than it says.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from './docs/import-source.js';
import { readRows } from './spec/rows.js';
import { specMap } from './spec/spec-map.js';
import { REPORT_FILE, readReport } from './spec/test-report.js';

const root = join(import.meta.dirname, '..');
const report = readReport(join(root, REPORT_FILE), root);
const { WIRE_CODES } = /** @type {typeof import('../src/protocol/codes.ts')} */ (
  await importSource(root, 'src/protocol/codes.ts')
);
const codes = new Set(Object.values(WIRE_CODES).flatMap((place) => Object.keys(place)));
const { map, deviations, problems } = specMap(readRows(root), report, root, codes);

for (const [page, text] of [
  ['docs/spec-map.md', map],
  ['docs/deviations.md', deviations],
]) {
  const path = join(root, String(page));
  if (!process.argv.includes('--check')) writeFileSync(path, String(text));
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    problems.push(`${page} is out of date: npm run docs`);
  }
}
for (const problem of problems) process.stderr.write(`spec map: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
