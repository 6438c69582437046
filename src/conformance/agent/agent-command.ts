import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock, Sleep } from '../../runtime/index.ts';
import type { AgentRun } from './agent-task.ts';

/** The agent's command does not exist or cannot be run. */
export class BadCommand extends Error {
  override readonly name = 'BadCommand';
}

export interface CommandPorts {
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Ends a process group, or a process. Does not throw. */
  readonly kill: (pid: number, signal: 'SIGTERM' | 'SIGKILL') => void;
}

interface CommandStart {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** How much is kept of each stream. Bytes. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Between two looks at the processes of a run. Milliseconds. */
const LOOK_EVERY = 15;
/** Between SIGTERM and SIGKILL. Milliseconds. */
const GRACE = 500;
/** How long the last output of a process that has ended may take. Milliseconds. */
const FLUSH = 200;
/** How long the system may take to clear a killed process away. Milliseconds. */
const LAST_WAIT = 3000;

/**
 * Runs a command to its end, in a process group of its own and without a terminal: stdin is closed.
 * @throws BadCommand
 */
export async function runCommand(
  start: CommandStart,
  ports: CommandPorts,
): Promise<Omit<AgentRun, 'opened'>> {
  const [program, ...args] = start.command;
  const child = spawn(program, args, {
    cwd: start.cwd,
    env: { ...start.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const over = new AbortController();
  const watch = watchArguments(child.pid, ports.sleep, over.signal);
  let killedFor: string | undefined;
  let giveUp = () => {};
  const gone = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });
  const end = async (why: string) => {
    const { pid } = child;
    if (killedFor !== undefined || pid === undefined) return;
    killedFor = why;
    ports.kill(-pid, 'SIGTERM');
    await ports.sleep(GRACE, over.signal);
    ports.kill(-pid, 'SIGKILL');
    // What the system cannot take away is waited for no longer.
    await ports.sleep(LAST_WAIT, over.signal);
    giveUp();
  };
  const kill = (why: string) => void end(why).catch(() => {});
  const flood = () => kill(`printed more than ${MOST_OUTPUT / 1024 / 1024} MB`);
  const stdout = collect(child.stdout, flood);
  const stderr = collect(child.stderr, flood);
  const onAbort = () => kill(String(start.signal.reason));
  start.signal.addEventListener('abort', onAbort, { once: true });
  if (start.signal.aborted) onAbort();
  const late = `had not ended after ${start.limit / 1000} s`;
  void ports.sleep(start.limit, over.signal).then(
    () => kill(late),
    () => {},
  );
  try {
    const exitCode = await Promise.race([ended(child, program, ports.sleep), gone]);
    const killed = killedFor !== undefined;
    const timedOut = killedFor === late;
    return {
      exitCode,
      killed,
      killedFor,
      timedOut,
      stdout: stdout(),
      stderr: stderr(),
      argv: watch(),
    };
  } finally {
    over.abort();
    start.signal.removeEventListener('abort', onAbort);
    // A process that left the group may hold them open, and they would keep this program alive.
    child.stdout?.destroy();
    child.stderr?.destroy();
    // Ends the processes that it left in its group.
    if (child.pid !== undefined) ports.kill(-child.pid, 'SIGKILL');
  }
}

const NOT_STARTED: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such command',
  EACCES: 'it is not executable',
  ENOEXEC: 'it is not a program for this machine',
  E2BIG: 'its arguments are too long',
};

function ended(child: ChildProcess, program: string, sleep: Sleep): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const { code = 'unknown reason' } = error;
      const why = NOT_STARTED[code] ?? code;
      reject(new BadCommand(`${program} cannot be run: ${why}.`));
    });
    // A process that it left behind may hold its streams open, and `close` would not come.
    child.once('exit', (code) => void sleep(FLUSH).then(() => resolve(code)));
    child.once('close', (code) => resolve(code));
  });
}

/** @param onFlood called once there is more than is kept. */
function collect(stream: NodeJS.ReadableStream | null, onFlood: () => void): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MOST_OUTPUT) chunks.push(chunk);
    else onFlood();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Collects the arguments of a process and its children from `/proc`, so on Linux only. */
function watchArguments(
  pid: number | undefined,
  sleep: Sleep,
  signal: AbortSignal,
): () => readonly (readonly string[])[] | undefined {
  const seen = new Map<string, readonly string[]>();
  let readable = false;
  const look = () => {
    for (const each of familyOf(pid)) {
      try {
        const line = readFileSync(`/proc/${each}/cmdline`, 'utf8');
        readable = true;
        if (line !== '') seen.set(line, line.split('\0').slice(0, -1));
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const loop = async () => {
    while (!signal.aborted) {
      look();
      await sleep(LOOK_EVERY, signal);
    }
  };
  loop().catch(() => {});
  return () => (readable ? [...seen.values()] : undefined);
}

/** The processes whose environment has this variable; none where there is no `/proc`. */
export function processesWith(variable: string): readonly number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && environmentOf(pid).includes(variable));
  } catch {
    return [];
  }
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended, or it is of another user.
    return [];
  }
}

function familyOf(pid: number | undefined): readonly number[] {
  if (pid === undefined) return [];
  const family = [pid];
  for (const each of family) {
    try {
      for (const task of readdirSync(`/proc/${each}/task`)) {
        const children = readFileSync(`/proc/${each}/task/${task}/children`, 'utf8');
        family.push(...children.trim().split(' ').filter(Boolean).map(Number));
      }
    } catch {
      // It has ended meanwhile, or this is not Linux.
    }
    if (family.length > 200) break;
  }
  return family;
}
