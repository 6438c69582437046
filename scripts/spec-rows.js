// `node scripts/spec-rows.js`, at the end of `npm test`: each row of the specification has a test that passed with its
// id in its title, and each id that a title names is a row. Browser tests prove none: they run only where a Chromium is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readReport } from './test-report.js';

const ROOT = join(import.meta.dirname, '..');

const rows = /** @type {{ id: string }[]} */ (
  parse(readFileSync(join(ROOT, 'fixtures/spec-rows.yaml'), 'utf8'))
);
/** @type {Map<string, boolean>} */
const proven = new Map(rows.map(({ id }) => [id, false]));
const { tests, brokenFiles } = readReport(join(ROOT, '.cache/test-report.json'), ROOT);
const problems = brokenFiles.map(({ file }) => `${file} did not run`);

for (const { file, status, title } of tests) {
  for (const id of rowIdsIn(title)) {
    if (!proven.has(id)) problems.push(`${file}: "${title}" names ${id}, which is no row`);
    else if (status === 'passed' && !file.startsWith('test/browser/')) proven.set(id, true);
  }
}
for (const [id, isProven] of proven) {
  if (!isProven) problems.push(`${id} has no passing test: name it in a title, [${id}]`);
}
for (const problem of problems) process.stderr.write(`specification: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

/**
 * The ids that a title names in square brackets: `[AR-EP-2]`, `[AR-EP-2, AR-DISC-1]`.
 *
 * @param {string} title
 * @returns {string[]}
 */
function rowIdsIn(title) {
  return [...title.matchAll(/\[([^\]]*)\]/g)]
    .flatMap(([, inner = '']) => inner.split(/[\s,]+/))
    .filter((word) => /^(AR|SD)-/.test(word));
}
