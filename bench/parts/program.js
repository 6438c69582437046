import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { pinned } from '../measure/machine.js';
import { replayService } from '../measure/replay.js';
import { ratios, shuffled, spread } from '../measure/statistics.js';

/** As many as the wanted figures are about; `--quick` does one. */
const ROUNDS = 25;

/**
 * How long the program takes, beside `node -e 0`; `call` beside a bundled program that sends the same with undici.
 * @param {import('./mocks.js').Work} work
 */
export async function measureProgram({ bench, dist, options, tell }) {
  const { cores, folder } = bench;
  const env = { ...process.env, AGENT_AUTH_HOME: join(folder, 'home') };
  const run = (/** @type {readonly string[]} */ args) => {
    const [program, all] = pinned(cores.server, [process.execPath, ...args]);
    const start = performance.now();
    const { status, stderr } = spawnSync(program, all, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - start;
  };
  const cli = (/** @type {string} */ built) => join(built, '../bin/agent-auth.js');
  const connect = async (/** @type {string} */ origin) => {
    run([cli(dist), 'connect', origin, '--call', '/api/resource']);
  };
  const service = await replayService(dist, cores.client, connect);
  try {
    const bare = await bundle(join(folder, 'bare-call.mjs'));
    const commands = {
      'node -e 0': ['-e', '0'],
      ...commandsOf('', cli(dist)),
      'bare call': [bare, service.origin, tokenIn(env.AGENT_AUTH_HOME)],
      ...(options.before === undefined ? {} : commandsOf('before: ', cli(options.before))),
    };
    // What `call` sends, so that the other program sends it too.
    await fetch(`${service.origin}/seen`);
    run(commands.call);
    const requests = /** @type {string[]} */ (await (await fetch(`${service.origin}/seen`)).json());
    commands['bare call'].push(...requests);
    const times = measureEach(commands, run, options.quick ? 1 : ROUNDS);
    tell(programTable(times));
    tell(`call sends ${requests.join(', ')}`);
    return { times, requests };
  } finally {
    await service.close();
  }
}

/**
 * @template {string} P
 * @param {P} prefix
 * @param {string} program
 */
function commandsOf(prefix, program) {
  const each = /** @type {const} */ ({
    '--version': ['--version'],
    '--help': ['--help'],
    status: ['status'],
    token: ['token'],
    call: ['call', '/api/resource'],
  });
  return /** @type {Record<`${P}${keyof typeof each}`, string[]>} */ (
    Object.fromEntries(
      Object.entries(each).map(([name, args]) => [prefix + name, [program, ...args]]),
    )
  );
}

/**
 * @param {Record<string, readonly string[]>} commands
 * @param {(args: readonly string[]) => number} run
 * @param {number} rounds
 * @returns {Record<string, number[]>} milliseconds, round by round
 */
function measureEach(commands, run, rounds) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of shuffled(Object.entries(commands))) times[name]?.push(run(args));
  }
  return times;
}

/** The token of the one registration that is stored. @param {string} home */
function tokenIn(home) {
  const text = readFileSync(join(home, 'credentials.json'), 'utf8');
  return /"(at_[^"]+)"/.exec(text)?.[1] ?? '';
}

/** @param {string} file @returns {Promise<string>} */
async function bundle(file) {
  const input = join(import.meta.dirname, '../programs/bare-call.js');
  const bundled = await rolldown({ input, platform: 'node' });
  await bundled.write({ file, format: 'esm', codeSplitting: false });
  await bundled.close();
  return file;
}

/**
 * What a command is compared with.
 * @param {string} name
 */
export function baseOf(name) {
  return name.endsWith('call') && name !== 'bare call' ? 'bare call' : 'node -e 0';
}

/** @param {Record<string, number[]>} times */
function programTable(times) {
  return Object.entries(times)
    .map(([name, each]) => {
      const { max, median, min } = spread(each);
      const base = baseOf(name);
      const ratio = ratios(each, times[base] ?? each).median.toFixed(2);
      const range = `${min.toFixed(0)} – ${max.toFixed(0)}`;
      return `${name.padEnd(20)}${median.toFixed(1).padStart(8)} ms${range.padStart(14)}  ${ratio} × ${base}`;
    })
    .join('\n');
}
