import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../measure/statistics.js';

/**
 * @typedef {object} SuiteRun
 * @property {string} name
 * @property {number[]} seconds run by run
 * @property {number[]} checks that were judged, run by run; empty where nothing is judged
 * @property {number} failed runs that did not end with 0
 */

/**
 * How long the suite takes, and the tests of this project, on all cores.
 * @param {import('./mocks.js').Work} work
 * @returns {Promise<{ runs: SuiteRun[] }>}
 */
export async function measureSuite({ bench, dist, options, tell }) {
  const { before, quick } = options;
  const report = join(bench.folder, 'report.json');
  const cli = (/** @type {string} */ built) => join(built, '../bin/agent-auth.js');
  const judging = (/** @type {string} */ program, /** @type {string[]} */ ...args) => [
    ...[process.execPath, program, 'conformance', args[0] ?? '', '--report', `json=${report}`],
    ...args.slice(1),
  ];
  const ofMock = (/** @type {string} */ built) => judging(cli(built), 'service', '--mock');
  const ofAgent = (/** @type {string} */ built) => {
    const perform = [process.execPath, cli(built), 'conformance', 'perform'];
    return judging(cli(built), 'agent', '--', ...perform);
  };
  const times = Math.min(3, options.runs);
  /** @type {SuiteRun[]} */
  const runs = [];
  const measure = (
    /** @type {string} */ name,
    /** @type {string[]} */ command,
    /** @type {number} */ count,
    isJudging = true,
  ) => {
    const run = runOften(name, command, count, isJudging ? report : undefined);
    runs.push(run);
    const checks = run.checks.length === 0 ? '' : `, ${run.checks.join(', ')} checks`;
    const failures = run.failed === 0 ? '' : `, NO RESULT: ${run.failed} failed`;
    tell(`${name}: ${median(run.seconds).toFixed(1)} s${checks}${failures}`);
  };
  measure('conformance service --mock', ofMock(dist), times);
  if (before !== undefined) measure('before: conformance service --mock', ofMock(before), times);
  if (quick) return { runs };
  measure('conformance agent', ofAgent(dist), 1);
  if (before !== undefined) measure('before: conformance agent', ofAgent(before), 1);
  measure('npm test', ['npm', 'test'], 1, false);
  return { runs };
}

/**
 * @param {string} name
 * @param {readonly string[]} command
 * @param {number} times
 * @param {string | undefined} report the file that it writes
 * @returns {SuiteRun}
 */
function runOften(name, [program = '', ...args], times, report) {
  /** @type {SuiteRun} */
  const run = { name, seconds: [], checks: [], failed: 0 };
  for (let left = times; left > 0; left -= 1) {
    const start = performance.now();
    const cwd = join(import.meta.dirname, '../..');
    const { status } = spawnSync(program, args, { cwd, stdio: 'ignore' });
    run.seconds.push((performance.now() - start) / 1000);
    if (status !== 0) run.failed += 1;
    if (report !== undefined) run.checks.push(judgedIn(report));
  }
  return run;
}

/** @param {string} report */
function judgedIn(report) {
  /** @type {{ summary: { checks: Record<string, number> } }} */
  const { summary } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.values(summary.checks).reduce((total, count) => total + count, 0);
}
