// `node scripts/test-totals.js REPORT…` sums vitest JSON reports and prints `N passed, N failed` as its last line.
// Exit 1 when a report is missing, a test failed, or the browser tests, which one of them holds, did not all run.
import { readReport } from './spec/test-report.js';

let passed = 0;
let failed = 0;
/** Of the browser tests. */
const ran = { passed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  try {
    const { tests, brokenFiles } = readReport(path, process.cwd());
    passed += tests.filter(({ status }) => status === 'passed').length;
    failed += tests.filter(({ status }) => status === 'failed').length + brokenFiles.length;
    for (const { file, status } of tests) {
      if (file.startsWith('test/browser/') && status !== 'failed') ran[status] += 1;
    }
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
if (ran.passed === 0 || ran.skipped > 0) {
  process.stdout.write('browser tests were skipped\n');
  process.exitCode = 1;
}
if (failed > 0) process.exitCode = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
