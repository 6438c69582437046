import type { Command, Option } from 'commander';

/** What can stand after a command: the same for every shell. */
export interface CompletionNode {
  /** The words of the command, without the program: `mock up`. Empty for the program itself. */
  readonly path: string;
  readonly words: readonly CompletionWord[];
  /** What can stand there beside the words, once or more often: `none` where that is anything. */
  readonly argument: CompletionValue;
  readonly options: readonly CompletionOption[];
}

interface CompletionWord {
  readonly name: string;
  readonly summary: string;
  /** Whether it leads to a node of its own. */
  readonly leads: boolean;
}

export interface CompletionOption {
  /** `-X` and `--request`. */
  readonly flags: readonly string[];
  readonly summary: string;
  readonly value: CompletionValue;
}

/**
 * What follows an option: nothing, one of some words (those that end in `=` go on), a file (perhaps behind
 * an `@`), anything, or what the program is asked for at that moment.
 */
export type CompletionValue =
  | { readonly kind: 'none' | 'file' | 'at_file' | 'anything' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'asked'; readonly list: AskedList };

/** What `agent-auth __complete` prints. */
const ASKED_LISTS = ['registrations', 'mock-registrations'] as const;
export type AskedList = (typeof ASKED_LISTS)[number];

export function isAskedList(text: string | undefined): text is AskedList {
  return ASKED_LISTS.some((each) => each === text);
}

/** Values that the command tree does not have, because they would be slow to load for every command. */
export interface KnownValues {
  /** By the words of the command and the long option: `mock up --fault`. */
  readonly options: Readonly<Record<string, CompletionValue>>;
  /** By the words of the command. */
  readonly arguments: Readonly<Record<string, CompletionValue>>;
}

/** The words of `help` that are no commands. */
export const HELP_TOPICS = ['options', 'errors', 'exit-codes', 'environment'] as const;

const NO_FLAGS: CompletionOption = {
  flags: ['-h', '--help'],
  summary: 'show this help',
  value: { kind: 'none' },
};

/** Every command of the program, with what can follow it. */
export function completionTree(program: Command, known: KnownValues): readonly CompletionNode[] {
  const nodes = nodesOf(program, '', { program, known });
  const helped = nodes
    .filter(({ path, words }) => path !== 'help' && words.some(({ leads }) => leads))
    .map(({ path, words }) => helpNode(path, words));
  return [...nodes.filter(({ path }) => path !== 'help'), ...helped];
}

interface Tree {
  readonly program: Command;
  readonly known: KnownValues;
}

function nodesOf(command: Command, path: string, tree: Tree): CompletionNode[] {
  const { known, program } = tree;
  const help = command.createHelp();
  // A group has a `help` of commander's making, which the program's own does not need.
  const subcommands = help
    .visibleCommands(command)
    .filter((each) => command === program || each.name() !== 'help');
  const options = command === program ? [] : help.visibleOptions(command);
  const own = [...options.filter(({ long }) => long !== '--help'), ...globalOptions(program)];
  return [
    {
      path,
      words: [
        ...subcommands.map((each) => ({
          name: each.name(),
          summary: each.summary() || each.description(),
          leads: true,
        })),
        ...command.registeredArguments.flatMap(({ argChoices }) =>
          (argChoices ?? []).map((name) => ({ name, summary: '', leads: false })),
        ),
      ],
      argument: known.arguments[path] ?? { kind: 'none' },
      options: [
        ...own.map(toOption).map((option) => {
          const long = option.flags.find((flag) => flag.startsWith('--'));
          return { ...option, value: known.options[`${path} ${long}`] ?? option.value };
        }),
        NO_FLAGS,
      ],
    },
    ...subcommands.flatMap((each) =>
      nodesOf(each, path === '' ? each.name() : `${path} ${each.name()}`, tree),
    ),
  ];
}

/** `help` takes the words of a command, and at first the topics. */
function helpNode(path: string, words: readonly CompletionWord[]): CompletionNode {
  const topics = path === '' ? HELP_TOPICS : [];
  return {
    path: path === '' ? 'help' : `help ${path}`,
    words: [...words, ...topics.map((name) => ({ name, summary: 'a table', leads: false }))],
    argument: { kind: 'none' },
    options: [NO_FLAGS],
  };
}

function globalOptions(program: Command): readonly Option[] {
  return program.options.filter(({ hidden }) => !hidden);
}

function toOption({ short, long, description, flags, argChoices }: Option): CompletionOption {
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    summary: description,
    value: readValue(flags, argChoices),
  };
}

function readValue(flags: string, choices: readonly string[] | undefined): CompletionValue {
  if (choices !== undefined) return { kind: 'choice', choices };
  const placeholder = /[<[]([^>\]]*)[>\]]/.exec(flags)?.[1];
  if (placeholder === undefined) return { kind: 'none' };
  if (placeholder.includes('@file')) return { kind: 'at_file' };
  return { kind: placeholder === 'file' ? 'file' : 'anything' };
}
