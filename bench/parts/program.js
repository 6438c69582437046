import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startServer } from '../measure/child.js';
import { pinned } from '../measure/machine.js';
import { ratios, shuffled, spread } from '../measure/statistics.js';

/** `--quick` does one. */
const ROUNDS = 25;
const BASE = 'node -e 0';

/**
 * How long the program takes to start, beside `node -e 0`.
 * @param {import('../measure/sides.js').Work} work
 */
export async function measureProgram({ bench, options, tell }) {
  const { cores, dist, folder } = bench;
  const env = { ...process.env, AGENT_AUTH_HOME: join(folder, 'home') };
  const run = (/** @type {readonly string[]} */ args) => {
    const [program, all] = pinned(cores.server, [process.execPath, ...args]);
    const start = performance.now();
    const { status, stderr } = spawnSync(program, all, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - start;
  };
  const cli = join(dist, '../bin/agent-auth.js');
  const service = await startServer('mock.js', { dist, role: 'service' }, cores.client);
  try {
    // What `status` and `token` read: a registration, and a token with more than five minutes left.
    run([cli, 'connect', service.origin, '--call', '/api/resource']);
  } finally {
    await service.close();
  }
  const commands = Object.entries({
    [BASE]: ['-e', '0'],
    '--version': [cli, '--version'],
    '--help': [cli, '--help'],
    status: [cli, 'status'],
    token: [cli, 'token'],
  });
  /** @type {Record<string, number[]>} milliseconds, round by round */
  const times = Object.fromEntries(commands.map(([name]) => [name, []]));
  for (let left = options.quick ? 1 : ROUNDS; left > 0; left -= 1) {
    for (const [name, args] of shuffled(commands)) times[name]?.push(run(args));
  }
  for (const [name, each] of Object.entries(times)) {
    const { max, median, min } = spread(each);
    const ratio = ratios(each, times[BASE] ?? each).median.toFixed(2);
    const range = `${min.toFixed(0)} – ${max.toFixed(0)}`;
    tell(
      `${name.padEnd(12)}${median.toFixed(1).padStart(8)} ms${range.padStart(14)}  ${ratio} × ${BASE}`,
    );
  }
  return true;
}
