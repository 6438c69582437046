import { Argument, type Command, Option } from 'commander';
import { describeDuration } from '../../protocol/durations.ts';
import { CliError } from './cli-error.ts';
import type { Context, Run } from './context.ts';
import type { Ending } from './exit-codes.ts';
import { examples, notes } from './help-text.ts';
import { nextLine } from './next-line.ts';
import { duration } from './option-values.ts';

/** What it means, how its value is read or which ones there are, its default, and how help shows that. */
type Meaning = readonly [
  meaning: string,
  value?: ((value: string, previous: never) => unknown) | readonly string[] | undefined,
  standard?: unknown,
  shown?: string,
];

/** An argument: how it is shown, and what it means. */
export type Row = readonly [shown: string, ...meaning: Meaning];

/** The options of a command by their flags. */
export type Options = Readonly<Record<string, string | Meaning | Option>>;

/** What a command takes and says. Its own code is imported when it runs. */
export interface CommandSpec {
  readonly summary: string;
  readonly description: string;
  readonly arguments?: readonly Row[];
  readonly options?: Options;
  /** The options of the command above it are its own, too. */
  readonly inherits?: true;
  /** Takes `--timeout`, and is ended by it. */
  readonly timed?: true;
  /** What it does not know belongs to another program. */
  readonly passesOn?: true;
  /** Paragraphs after the options. */
  readonly notes?: readonly string[];
  /** Examples, without the name of the program. */
  readonly examples: readonly string[];
  /** Loads what carries it out. A group does nothing by itself. */
  readonly load?: () => Promise<(context: Context, ...given: never[]) => Promise<Ending>>;
  readonly commands?: Commands;
}

/** Commands by name, in the order of the help. */
export type Commands = Readonly<Record<string, CommandSpec>>;

export function addCommands(parent: Command, run: Run, commands: Commands): void {
  for (const [name, spec] of Object.entries(commands)) addCommand(parent, run, name, spec);
}

export function addCommand(parent: Command, run: Run, name: string, spec: CommandSpec): Command {
  const { arguments: takes = [], commands = {}, options = {}, load } = spec;
  const command = parent.command(name).summary(spec.summary).description(spec.description);
  for (const [shown, ...row] of takes) {
    command.addArgument(filled(new Argument(shown, row[0]), row));
  }
  for (const [flags, given] of Object.entries({ ...options, ...(spec.timed && TIMEOUT) })) {
    const isText = typeof given === 'string';
    const row: Meaning | Option = isText ? [given] : given;
    command.addOption(row instanceof Option ? row : option(flags, ...row));
  }
  if (spec.passesOn) command.allowUnknownOption();
  if (load !== undefined) {
    command.action((...given: readonly unknown[]) =>
      run(async (context) => {
        const carry = (await load()) as (...given: readonly unknown[]) => Promise<Ending>;
        const own = command.opts<Timed>();
        const all = spec.inherits ? { ...parent.opts(), ...own } : own;
        const work = () => carry(context, ...given.slice(0, takes.length), all);
        return spec.timed ? within(context, own.timeout, work) : work();
      }),
    );
  }
  addCommands(command, run, commands);
  if (spec.notes) notes(command, spec.notes);
  return examples(command, ...spec.examples);
}

const TIMEOUT: Options = {
  '--timeout <duration>': ['give up after this time, with exit 7', duration],
};

export function option(flags: string, ...row: Meaning): Option {
  return filled(new Option(flags, row[0]), row);
}

function filled<T extends Argument | Option>(made: T, [, value, standard, shown]: Meaning): T {
  if (typeof value === 'function') made.argParser(value as (value: string) => unknown);
  else if (value !== undefined) made.choices(value);
  if (standard !== undefined) made.default(standard, shown);
  return made;
}

/** The option that limits a command's time. */
interface Timed {
  /** Milliseconds. */
  readonly timeout?: number;
}

/**
 * Carries out a command within a time, after which it is stopped as by Ctrl-C, and says why.
 * @param limit milliseconds; `undefined`: as long as it takes.
 */
async function within<T>(
  context: Context,
  limit: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (limit === undefined) return work();
  const { interrupt, world } = context;
  const late = new CliError('network', {
    code: 'timeout',
    message: `It was not done within ${describeDuration(limit)}. What was registered until then is kept.`,
    hint: 'Allow more time with --timeout, or see what keeps it.',
    next: nextLine(context, 'doctor'),
  });
  const done = new AbortController();
  const timer = world.sleep(limit, AbortSignal.any([done.signal, interrupt.signal])).then(
    () => interrupt.abort(late),
    () => {},
  );
  try {
    const ending = await work();
    if (interrupt.signal.reason === late) throw late;
    return ending;
  } catch (error) {
    throw interrupt.signal.reason === late ? late : error;
  } finally {
    done.abort();
    await timer;
  }
}
