import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CannotTest, NeedsOption } from '../../conformance/engine/judge.ts';
import { plainText } from '../../conformance/engine/plain-text.ts';
import { Redactor } from '../../conformance/http/redact.ts';
import { closeOutputAfterExit } from '../../conformance/user/close-output.ts';
import { displayText } from '../../protocol/text.ts';
import { startDeadline } from '../../runtime/system-deadline.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { CommandLine } from '../terminal/child.ts';

/**
 * The words of a command line that was given as one option: split at spaces; quotes keep words together.
 * No shell is involved, so nothing is expanded.
 * @throws CliError (usage) when it is empty, or a quote is not closed.
 */
export function readCommandLine(text: string, flag: string): CommandLine {
  const words: string[] = [];
  const rest = text.replace(/\s*((?:[^\s"']|"[^"]*"|'[^']*')+)/gy, (_all, word: string) => {
    words.push(
      word.replace(/"([^"]*)"|'([^']*)'/g, (_quoted, a?: string, b?: string) => a ?? b ?? ''),
    );
    return '';
  });
  const [command, ...args] = words;
  if (command === undefined || rest.trim() !== '') {
    throw usageError(`${flag} is not a command line that can be read: ${displayText(text)}`);
  }
  return [command, ...args];
}

/**
 * The same of a command whose program is there.
 * @throws CliError (usage) when it cannot be read, or its program cannot be run.
 */
export function readCommand(
  { world }: Pick<Context, 'world'>,
  text: string,
  flag: string,
): CommandLine {
  const line = readCommandLine(text, flag);
  const problem = whyNotRun(line[0], world.environment.source['PATH'] ?? '');
  if (problem === undefined) return line;
  throw usageError(`The command of ${flag} cannot be run: ${problem}.`, {
    code: 'command_missing',
    hint: 'No shell is involved: name a program on the PATH, or the path of one.',
  });
}

/** Windows finds programs by their extension, too: only running shows it. */
const isUnix = process.getuid !== undefined;

function whyNotRun(program: string, path: string): string | undefined {
  if (!isUnix) return undefined;
  const name = displayText(program);
  if (!program.includes('/')) {
    const isThere = path.split(delimiter).some((folder) => canRun(join(folder, program)));
    return isThere ? undefined : `there is no ${name} on the PATH`;
  }
  if (canRun(program)) return undefined;
  return isFile(program) ? `${name} is not executable` : `there is no ${name}`;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

interface CommandRun {
  /** Written to stdin as one JSON object. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The option that it was given with, for messages. */
  readonly flag: string;
  /** What is wrong with what it printed: `it printed nothing`. Default: nothing is. */
  readonly check?: (output: string) => string | undefined;
}

const MAX_OUTPUT = 64 * 1024;
/** The end of its stderr says why it failed. */
const MAX_SAID = 4 * 1024;

/**
 * Runs a command of the user's with JSON on stdin, and resolves to its stdout. Its stderr is told of when it
 * fails: ours shows the progress.
 * @throws CannotTest when it cannot be run, takes too long, does not exit 0, or prints what `check` does not take.
 */
export async function runCommand(
  [command, ...args]: CommandLine,
  { input, env, timeout, signal, flag, check }: CommandRun,
): Promise<string> {
  const deadline = startDeadline(timeout, signal);
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env },
    signal: deadline.signal,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < MAX_OUTPUT) output += text;
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_SAID);
  });
  // A command need not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(input)}\n`);
  closeOutputAfterExit(child);
  const problem = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(whyNot(error)));
    child.once('close', (code, killedBy) =>
      resolve(code === 0 ? undefined : `it ended with ${code ?? killedBy}`),
    );
  });
  deadline.end();
  signal.throwIfAborted();
  const wrong = problem ?? check?.(output);
  if (wrong === undefined) return output;
  throw new CannotTest(
    `The command of ${flag} failed: ${wrong}.${quoteSaid(said, { env, input })}`,
  );
}

const SECRET_NAME = /secret|token|passw|key|credential|auth/i;

/** The end of a command's stderr for a sentence, without what was handed to it as a secret. */
function quoteSaid(said: string, { env, input }: Pick<CommandRun, 'env' | 'input'>): string {
  const redactor = new Redactor();
  for (const [name, value] of Object.entries({ ...env, ...input })) {
    if (typeof value === 'string' && SECRET_NAME.test(name)) redactor.conceal(value);
  }
  const text = plainText(redactor.text(said.trim()).slice(-MAX_QUOTED), MAX_QUOTED).trim();
  return text === '' ? '' : ` It said: “${text}”.`;
}

const MAX_QUOTED = 300;

function whyNot({ name, code }: NodeJS.ErrnoException): string {
  if (name === 'AbortError') return 'it took too long';
  return code === 'ENOENT' ? 'there is no such command' : (code ?? 'it cannot be run');
}

/**
 * A command that was given with an option, as what is called with its input and resolves to what it printed.
 * @param timeout How long it may take. Milliseconds.
 * @throws CliError (usage) when the command cannot be read.
 */
export function ownCommand(
  context: Context,
  flag: string,
  typed: string,
  timeout: number,
  check?: CommandRun['check'],
): (input: CommandRun['input']) => Promise<string> {
  const { interrupt, world } = context;
  const line = readCommand(context, typed, flag);
  const { source: env } = world.environment;
  return (input) =>
    runCommand(line, {
      ...{ input, env, timeout, signal: interrupt.signal, flag },
      ...(check && { check }),
    });
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Obtains a JWT by a command that reads one JSON object and prints the JWT alone. What the suite needs it for
 * is skipped when it fails, and nothing else.
 * @param input What is the same for all users.
 * @throws CliError (usage) when the command cannot be read.
 */
export function jwtCommand(
  context: Context,
  flag: string,
  typed: string,
  timeout: number,
  input: CommandRun['input'],
): (email: string, asked?: CommandRun['input']) => Promise<string> {
  const print = ownCommand(context, flag, typed, timeout, (output) =>
    JWT.test(output.trim()) ? undefined : 'it printed no JWT',
  );
  return async (email, asked = {}) => {
    try {
      return (await print({ ...input, email, ...asked })).trim();
    } catch (error) {
      if (error instanceof CannotTest) throw new NeedsOption(error.message, flag);
      throw error;
    }
  };
}
