import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BIN = join(import.meta.dirname, '../../bin/agent-auth.js');

type Json = Readonly<Record<string, unknown>>;

/** The built program, run as its user runs it: each command a process, one home for all of them. */
export class Terminal {
  readonly #home = mkdtempSync(join(tmpdir(), 'agent-auth-browser-'));
  readonly #running = new Set<ChildProcess>();

  /** Starts a command with `--json`; its lines come one by one. */
  start(...args: readonly string[]): Command {
    const child = spawn(process.execPath, [BIN, ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        AGENT_AUTH_HOME: join(this.#home, 'config'),
        XDG_RUNTIME_DIR: this.#home,
      },
    });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return new Command(child);
  }

  /** Ends what still runs, by its id. */
  async close(): Promise<void> {
    for (const child of this.#running) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(killing);
    }
    rmSync(this.#home, { recursive: true });
  }
}

export class Command {
  readonly exitCode: Promise<number | null>;
  readonly #lines: AsyncIterator<string>;
  #stderr = '';

  constructor(child: ChildProcess) {
    this.exitCode = new Promise((resolve) => child.once('exit', resolve));
    if (child.stdout === null || child.stderr === null) throw new Error('The output is not piped.');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.on('data', (data: Buffer) => {
      this.#stderr += data.toString();
    });
  }

  /** The next line of stdout. */
  async next(): Promise<Json> {
    const { done, value } = await this.#lines.next();
    if (done) throw new Error(`The command ended without a line. stderr: ${this.#stderr}`);
    return JSON.parse(value) as Json;
  }
}
