import { spawn } from 'node:child_process';
import { CannotTest } from '../engine/judge.ts';
import { closeOutputAfterExit } from './close-output.ts';
import type { ClaimReport, ClaimTask, User } from './user.ts';

/** Which command does the user's part. */
export interface CommandUserOptions {
  /** The command and its arguments. No shell expands them. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds until the command is killed. Default: 2 minutes. */
  readonly within?: number;
  readonly signal?: AbortSignal;
}

const MAX_OUTPUT = 16 * 1024;

/**
 * Runs a command for each claim. It gets `{ schema, verification_uri, user_code, email, decision }`, and
 * `password` and `notes` where they are known, as one line of JSON on stdin, since link, code and password
 * are secrets, and exits with 0 when it is done.
 */
export class CommandUser implements User {
  readonly kind = 'command';
  readonly #options: CommandUserOptions;

  constructor(options: CommandUserOptions) {
    this.#options = options;
  }

  async claim(task: ClaimTask): Promise<ClaimReport> {
    const { decision, email, notes, password, userCode, verificationUri } = task;
    const input = JSON.stringify({
      schema: 'agent-auth.person/1',
      verification_uri: verificationUri,
      user_code: userCode,
      email,
      password,
      notes,
      decision,
    });
    const { output, problem } = await run(this.#options, input);
    if (problem !== undefined) {
      throw new CannotTest(`The command for the user's part ${problem}.`);
    }
    return { status: undefined, text: output.trim(), exchange: undefined };
  }
}

function run(
  { command: [file, ...words], env, within = 120_000, signal }: CommandUserOptions,
  input: string,
): Promise<{ readonly output: string; readonly problem: string | undefined }> {
  return new Promise((resolve) => {
    const child = spawn(file, words, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...env },
      timeout: within,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MAX_OUTPUT) output += text;
    });
    // A command need not read its stdin.
    child.stdin.on('error', () => {});
    child.stdin.end(`${input}\n`);
    closeOutputAfterExit(child);
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve({ output, problem: code === 'ENOENT' ? 'was not found' : `failed (${code ?? '?'})` }),
    );
    child.once('close', (status, killedBy) => resolve({ output, problem: why(status, killedBy) }));
  });
}

function why(status: number | null, killedBy: string | null): string | undefined {
  if (status === 0) return undefined;
  return status === null
    ? `was ended by ${killedBy ?? 'a signal'}, or took too long`
    : `ended with ${status}`;
}
