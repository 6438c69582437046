import { type Ending, exitCode } from './shell/exit-codes.ts';
import { hasSecret } from './shell/has-secret.ts';
import { type OutputOptions, typedOutputOptions } from './shell/output-options.ts';
import { systemTerminal, type Terminal } from './shell/system-terminal.ts';
import { versionText } from './shell/version.ts';
import type { World } from './shell/world.ts';
import type { Streams } from './terminal/streams.ts';

/**
 * The program. Takes the arguments without node and script, resolves to the exit code. It
 * rejects only where its own files cannot be loaded.
 */
export async function main(argv: readonly string[], given?: World): Promise<number> {
  const terminal: Terminal = given ?? systemTerminal();
  // What may be a secret no longer stands in the list of processes: it was there until now.
  if (given === undefined && hasSecret(argv)) process.title = terminal.environment.programName;
  const form = typedOutputOptions(argv);
  const log =
    terminal.environment.source['GITHUB_ACTIONS'] === undefined
      ? undefined
      : (await import('./shell/actions-log.ts')).actionsLog(
          argv,
          form,
          terminal.streams,
          terminal.environment.source,
        );
  const ending = await run(
    argv,
    form,
    log === undefined ? terminal : { ...terminal, streams: log.streams },
    log === undefined ? given : given && { ...given, streams: log.streams },
  );
  log?.end();
  return exitCode(await flushOutput(ending, terminal.streams, form));
}

/** Loads no more than the line needs: what is imported above is all that every line waits for. */
async function run(
  argv: readonly string[],
  form: OutputOptions,
  terminal: Terminal,
  given: World | undefined,
): Promise<Ending> {
  const [first, ...others] = argv;
  if (first === '__complete') return printCompletions(others, terminal, given);
  if (isVersionLine(argv)) {
    terminal.streams.stdout.write(`${versionText(form.json)}\n`);
    return 'done';
  }
  const { runLine } = await import('./run-line.ts');
  return runLine(argv, { form, terminal, given, main });
}

function isVersionLine(argv: readonly string[]): boolean {
  const words = argv.filter((word) => word !== '--json');
  return words.length === 1 && (words[0] === '--version' || words[0] === '-V');
}

/** Prints completions of a line that is being typed, so it is not parsed as one. Whatever fails is not told. */
async function printCompletions(
  words: readonly string[],
  terminal: Terminal,
  given: World | undefined,
): Promise<Ending> {
  const { complete } = await import('./help/completion/complete.ts');
  const { buildProgram } = await import('./program.ts');
  const program = buildProgram(async () => {}, { stdout: () => {}, stderr: () => {} });
  const world = given ?? (await import('./shell/world.ts')).systemWorld(terminal);
  const lines = await complete(world, program, words);
  if (lines.length > 0) terminal.streams.stdout.write(`${lines.join('\n')}\n`);
  return 'done';
}

/**
 * Waits until everything is written. Output that was lost, as on a full disk, is reported once, and has one exit
 * code at every command: what another code sends its reader to is not there. Where only stderr is lost, a
 * failure keeps its own.
 */
async function flushOutput(ending: Ending, streams: Streams, form: OutputOptions): Promise<Ending> {
  const { stdout, stderr } = await streams.flush();
  if (stdout !== undefined && stderr === undefined) {
    // Loaded when first needed: this is seldom.
    const { reportLostOutput } = await import('./shell/lost-output.ts');
    reportLostOutput(stdout, streams, form);
    await streams.flush();
  }
  if (stdout !== undefined) return 'failed';
  return stderr !== undefined && exitCode(ending) === 0 ? 'failed' : ending;
}
