import { existsSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/**
 * One test of a run.
 *
 * @typedef {object} TestResult
 * @property {string} file from the project's root
 * @property {string} name describe titles and its own, joined as vitest's `-t` sees them
 * @property {string} title the same, to be read by people
 * @property {'passed' | 'failed' | 'skipped'} status
 * @property {string[]} messages why it failed; empty when it did not
 */

/**
 * What vitest's JSON reporter wrote.
 *
 * @typedef {object} TestReport
 * @property {TestResult[]} tests
 * @property {{ file: string, message: string }[]} brokenFiles that failed without running a test, and why
 */

/**
 * @param {string} path of the report
 * @param {string} root of the project
 * @returns {TestReport}
 */
export function readReport(path, root) {
  if (!existsSync(path)) throw new Error(`no test report at ${path}: run npm test first`);
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'));
  /** @type {TestReport} */
  const report = { tests: [], brokenFiles: [] };
  for (const suite of testResults) {
    const file = relative(root, suite.name).split(sep).join('/');
    const failed = suite.assertionResults.some(
      (/** @type {{ status: string }} */ test) => test.status === 'failed',
    );
    if (suite.status === 'failed' && !failed) {
      report.brokenFiles.push({ file, message: suite.message ?? '' });
    }
    for (const test of suite.assertionResults) {
      const titles = [...test.ancestorTitles, test.title];
      report.tests.push({
        file,
        name: titles.join(' '),
        title: titles.join(' › '),
        status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
        messages: test.failureMessages ?? [],
      });
    }
  }
  return report;
}
