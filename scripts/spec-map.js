// Writes docs/spec-map.md from the last `npm test`; with --check, fails when it differs or a row is unproven.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRows } from './spec/rows.js';
import { specMap } from './spec/spec-map.js';
import { REPORT_FILE, readReport } from './spec/test-report.js';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/spec-map.md');

const report = readReport(join(root, REPORT_FILE), root);
const { markdown, problems } = specMap(readRows(root), report, root);

if (process.argv.includes('--check')) {
  const written = existsSync(page) ? readFileSync(page, 'utf8') : '';
  if (written !== markdown) problems.push('docs/spec-map.md is out of date: npm run docs');
} else {
  writeFileSync(page, markdown);
}
for (const problem of problems) process.stderr.write(`spec map: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
