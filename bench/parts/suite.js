import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../measure/statistics.js';

/**
 * How long the suite takes, on all cores: of our mock, and, but with `--quick`, of our agent.
 * @param {import('../measure/sides.js').Work} work
 */
export async function measureSuite({ bench, options, tell }) {
  const report = join(bench.folder, 'report.json');
  const cli = join(bench.dist, '../bin/agent-auth.js');
  const judge = (/** @type {readonly string[]} */ args, /** @type {number} */ times) => {
    /** @type {number[]} */
    const seconds = [];
    /** @type {number[]} */
    const checks = [];
    let failed = 0;
    while (seconds.length < times) {
      const start = performance.now();
      const options = ['--report', `json=${report}`];
      const [role = '', ...rest] = args;
      const all = [cli, 'conformance', role, ...options, ...rest];
      if (spawnSync(process.execPath, all, { stdio: 'ignore' }).status !== 0) failed += 1;
      seconds.push((performance.now() - start) / 1000);
      checks.push(judgedIn(report));
    }
    const failures = failed === 0 ? '' : `, NO RESULT: ${failed} failed`;
    const judged = [...new Set(checks)].join(', ');
    tell(`conformance ${args[0]}: ${median(seconds).toFixed(1)} s, ${judged} checks${failures}`);
    return failed === 0;
  };
  const service = judge(['service', '--mock'], Math.min(3, options.runs));
  if (options.quick) return service;
  const perform = ['--', process.execPath, cli, 'conformance', 'perform'];
  return judge(['agent', ...perform], 1) && service;
}

/** @param {string} report */
function judgedIn(report) {
  /** @type {{ summary: { checks: Record<string, number> } }} */
  const { summary } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.values(summary.checks).reduce((total, count) => total + count, 0);
}
