import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './child.js';
import { median, ratio } from './figures.js';

const ROUNDS = 25;
const PROGRAM = join(import.meta.dirname, '../bin/agent-auth.js');
const BASE = 'node -e 0';

/**
 * How long the program takes to start, beside `node -e 0`.
 * @param {boolean} quick
 */
export async function measureStart(quick) {
  const home = mkdtempSync(join(tmpdir(), 'agent-auth-bench-'));
  const run = (/** @type {readonly string[]} */ args) => {
    const env = { ...process.env, AGENT_AUTH_HOME: home };
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { env });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - began;
  };
  const service = await startServer('mock', 'call');
  // What `status` and `token` read: a registration, and a token with more than five minutes left.
  run([PROGRAM, 'connect', service.origin, '--call', '/api/resource']);
  await service.close();
  const commands = ['--version', '--help', 'status', 'token'].map((name) => ({
    name,
    args: [PROGRAM, name],
    times: /** @type {number[]} */ ([]),
  }));
  const base = { name: BASE, args: ['-e', '0'], times: /** @type {number[]} */ ([]) };
  for (let left = quick ? 1 : ROUNDS; left > 0; left -= 1) {
    for (const { args, times } of [base, ...commands]) times.push(run(args));
  }
  rmSync(home, { recursive: true });
  return commands
    .map(({ name, times }) => {
      const each = `${median(times).toFixed(0)} ms, ${BASE} ${median(base.times).toFixed(0)} ms`;
      return `${name.padEnd(12)}${each.padEnd(26)}${ratio(times, base.times)}`;
    })
    .join('\n');
}
