import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
export const PROGRAM = join(root, 'bin/agent-auth.js');
export const DIST = join(root, 'dist');
export const isBuilt = existsSync(join(DIST, 'cli/main.js'));
export const NOT_BUILT = 'dist is missing; type: npm run build';

/** A home of its own for the program: nothing of this machine's user is read or written. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  readonly #children = new Set<Program>();

  get environment(): Readonly<Record<string, string>> {
    return {
      PATH: process.env['PATH'] ?? '',
      AGENT_AUTH_HOME: join(this.folder, 'home'),
      XDG_RUNTIME_DIR: this.folder,
      TZ: 'UTC',
    };
  }

  start(line: string, env: Readonly<Record<string, string>> = {}): Program {
    return this.startWords(line.split(' '), env);
  }

  /** For words with spaces in them. */
  startWords(words: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    const program = new Program(
      spawn(process.execPath, [PROGRAM, ...words], {
        env: { ...this.environment, ...env },
      }),
    );
    this.#children.add(program);
    return program;
  }

  async run(
    line: string,
    stdin = '',
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const program = this.start(line);
    program.child.stdin.end(stdin);
    const code = await program.ended;
    return { code, stdout: program.stdout, stderr: program.stderr };
  }

  async remove(): Promise<void> {
    for (const { child } of this.#children) {
      child.kill('SIGKILL');
      // What it has started may hold its output open, and would be waited for.
      child.stdout.destroy();
      child.stderr.destroy();
    }
    await Promise.all([...this.#children].map((program) => program.ended));
    rmSync(this.folder, { recursive: true });
  }
}

/** A running program and what it has printed so far. */
export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
    child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => child.once('close', resolve));
  }

  /** Resolves once `pattern` was printed; rejects when the program ends without it. */
  async until(pattern: RegExp): Promise<void> {
    for (;;) {
      if (pattern.test(this.stdout + this.stderr)) return;
      const more = await Promise.race([
        this.ended.then(() => false),
        new Promise<boolean>((resolve) => {
          this.child.stdout.once('data', () => resolve(true));
          this.child.stderr.once('data', () => resolve(true));
        }),
      ]);
      if (!more && !pattern.test(this.stdout + this.stderr)) {
        throw new Error(`The program ended without ${pattern}: ${this.stdout}${this.stderr}`);
      }
    }
  }
}
