import { type Command, CommanderError } from 'commander';
import { urlProblem } from '../protocol/urls.ts';
import { buildProgram } from './program.ts';
import type { CliError } from './shell/cli-error.ts';
import { type Context, createContext, type Run } from './shell/context.ts';
import type { Ending } from './shell/exit-codes.ts';
import type { GlobalOptions } from './shell/global-options.ts';
import { isNearby } from './shell/nearby-host.ts';
import type { Next } from './shell/next.ts';
import { Output } from './shell/output.ts';
import type { OutputOptions } from './shell/output-options.ts';
import type { StopSignal, Terminal } from './shell/system-terminal.ts';
import { corrected, helpOf, readTypedLine, type TypedLine } from './shell/typed-line.ts';
import { versionText } from './shell/version.ts';
import type { World } from './shell/world.ts';
import { Interrupted } from './terminal/interrupted.ts';

/** What a line is run with. */
interface LineOptions {
  readonly form: OutputOptions;
  readonly terminal: Terminal;
  /** Default: the system's. */
  readonly given: World | undefined;
  /** The program, for another line in the same world. */
  readonly main: (argv: readonly string[], world: World) => Promise<number>;
}

/** Parses a line and carries out its command. */
export async function runLine(
  argv: readonly string[],
  { form, terminal, given, main }: LineOptions,
): Promise<Ending> {
  const { streams } = terminal;
  const interrupt = new AbortController();
  let onSignal: ((signal: StopSignal) => void) | undefined;
  const stopListening = terminal.onStopSignal((signal) => {
    if (onSignal === undefined) interrupt.abort(new Interrupted());
    else onSignal(signal);
    return onSignal === undefined;
  });
  let ending: Ending = 'done';
  let context: Context | undefined;
  const runWork: Run = async (work) => {
    const world = given ?? (await import('./shell/world.ts')).systemWorld(terminal);
    context = createContext(world, program.opts<GlobalOptions>(), {
      argv,
      interrupt,
      passSignalsTo: (listener) => {
        onSignal = listener;
      },
      runLine: (line) => main(line, world),
    });
    ending = await work(context);
  };
  const output = {
    stdout: (text: string) => streams.stdout.write(text),
    stderr: (text: string) => {
      if (!form.json) streams.stderr.write(text);
    },
    version: versionText(form.json),
    get columns() {
      return streams.stdout.isTTY ? streams.stdout.columns : undefined;
    },
  };
  const program = buildProgram(runWork, output, argv);
  const typed = readTypedLine(program, argv, terminal.environment.programName);
  const line = namesNoCommand(typed) ? argv.filter(isNoHelp) : argv;
  try {
    await program.parseAsync(line, { from: 'user' });
  } catch (error) {
    // --help and --version leave commander in the same way as its errors.
    if (error instanceof CommanderError && error.exitCode === 0) return 'done';
    // A group without a command has printed its help.
    if (isBareGroup(error) && !form.json) return 'usage';
    const explained =
      error instanceof CommanderError
        ? await refusedLine(error, line, terminal)
        : withHelp((await import('./shell/explain.ts')).explain(error, context), typed);
    new Output(streams, form).fail(asCalled(explained, terminal.environment.programName));
    ending = explained.outcome;
  } finally {
    stopListening();
  }
  return ending;
}

/** The lines of this program in a hint, which the library does not know how to call; other words stay. */
export function asCalled(error: CliError, programName: string): CliError {
  if (error.hint === undefined || programName === 'agent-auth') return error;
  const names = wholeProgram().commands.map((command) => command.name());
  const ownLine = new RegExp(`(?<!npx |[\\w-])agent-auth (?=(?:${names.join('|')})\\b)`, 'g');
  return error.with({ hint: error.hint.replace(ownLine, `${programName} `) });
}

/** A word that is no command is refused beside `--help` too, which would show the help of what holds it. */
function namesNoCommand({ argv, command, path }: TypedLine): boolean {
  const word = argv[path.length];
  const isLeading = path.every((each, index) => argv[index] === each);
  return isLeading && command.commands.length > 0 && word !== undefined && !word.startsWith('-');
}

function isNoHelp(word: string): boolean {
  return word !== '--help' && word !== '-h';
}

/** Failures for which another line of the same command is the way on. */
const MEND_THE_LINE =
  /^(bad_command|command_not_.*|listen_.*|file_unwritable|authority_not_written|control_.*)$/;

/** A wrong line that names no better one leads to the help of its command. */
function withHelp(error: CliError, typed: TypedLine): CliError {
  const isLine = error.outcome === 'usage' || MEND_THE_LINE.test(error.code);
  if (!isLine || error.next !== undefined) return error;
  const better = error.code === 'bad_address' ? overTls(typed) : undefined;
  return error.with({ next: better ?? helpOf(typed) });
}

/** The same line with https, where one of its words is an http URL of another machine. */
function overTls(typed: TypedLine): Next | undefined {
  const refused = typed.argv.filter((word) => urlProblem(word) === 'not_https' && !isNearby(word));
  const [url = '', ...others] = refused;
  if (url === '' || others.length > 0) return undefined;
  return corrected(typed, url, [url.replace(/^http:/i, 'https:')]);
}

/** Explained on the whole tree of commands, which refuses the line in the same way. */
async function refusedLine(
  error: CommanderError,
  argv: readonly string[],
  { environment }: Terminal,
): Promise<CliError> {
  const { explainUsage } = await import('./shell/explain-usage.ts');
  const program = wholeProgram();
  await program.parseAsync(argv, { from: 'user' }).catch(() => {});
  return explainUsage(error, readTypedLine(program, argv, environment.programName));
}

function wholeProgram(): Command {
  return buildProgram(async () => {}, { ...SILENT, version: versionText(false) });
}

const SILENT = { stdout: () => {}, stderr: () => {}, columns: undefined } as const;

function isBareGroup(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help';
}
