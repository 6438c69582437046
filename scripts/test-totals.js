// `node scripts/test-totals.js REPORT…` sums vitest JSON reports and prints `N passed, N failed` as its last line,
// after what was skipped, and what failed and why: the end of a log is what is kept of it.
// Exit 1 when a report is missing, a test failed, or the browser tests, which one of them holds, did not all run.
import { stripVTControlCharacters } from 'node:util';
import { readReport } from './test-report.js';

/** Shown of what a test said. */
const MOST_LINES = 12;

/**
 * @param {string} report the path of its report
 * @param {string} test its file, and its titles
 * @param {string} message why it failed
 */
function tell(report, test, message) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, MOST_LINES);
  process.stdout.write(
    `failed, in ${report}: ${test}\n${lines.map((line) => `  ${line}\n`).join('')}`,
  );
}

let passed = 0;
let failed = 0;
/** How many tests of a file were skipped. @type {Map<string, number>} */
const skipped = new Map();
/** Of the browser tests. */
const ran = { passed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  try {
    const { tests, brokenFiles } = readReport(path, process.cwd());
    passed += tests.filter(({ status }) => status === 'passed').length;
    const red = tests.filter(({ status }) => status === 'failed');
    failed += red.length + brokenFiles.length;
    for (const { file, title, messages } of red)
      tell(path, `${file} › ${title}`, messages.join('\n'));
    for (const { file, message } of brokenFiles) tell(path, file, message);
    for (const { file, status } of tests) {
      if (status === 'skipped') skipped.set(file, (skipped.get(file) ?? 0) + 1);
      if (file.startsWith('test/browser/') && status !== 'failed') ran[status] += 1;
    }
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
for (const [file, count] of skipped) process.stdout.write(`skipped, ${count}: ${file}\n`);
if (ran.passed === 0 || ran.skipped > 0) {
  const what = ran.skipped > 0 ? 'browser tests were skipped' : 'no browser test passed';
  process.stdout.write(`${what}\n`);
  process.exitCode = 1;
}
if (failed > 0) process.exitCode = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
