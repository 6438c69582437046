import type { Command, Option } from 'commander';

/** What can stand after a command: the same for every shell. */
export interface CompletionNode {
  /** The words of the command, without the program: `mock up`. Empty for the program itself. */
  readonly path: string;
  readonly words: readonly CompletionWord[];
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

/** What follows an option: nothing, one of some words, a file (perhaps behind an `@`), or anything. */
export type CompletionValue =
  | { readonly kind: 'none' | 'file' | 'at_file' | 'anything' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** The words of `help` that are no commands. */
export const HELP_TOPICS = ['options', 'errors', 'exit-codes', 'environment'] as const;

const NO_FLAGS: CompletionOption = {
  flags: ['-h', '--help'],
  summary: 'show this help',
  value: { kind: 'none' },
};

/** Every command of the program, with what can follow it. */
export function completionTree(program: Command): readonly CompletionNode[] {
  const nodes = nodesOf(program, '', program);
  const helped = nodes
    .filter(({ path, words }) => path !== 'help' && words.some(({ leads }) => leads))
    .map(({ path, words }) => helpNode(path, words));
  return [...nodes.filter(({ path }) => path !== 'help'), ...helped];
}

function nodesOf(command: Command, path: string, program: Command): CompletionNode[] {
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
      options: [...own.map(toOption), NO_FLAGS],
    },
    ...subcommands.flatMap((each) =>
      nodesOf(each, path === '' ? each.name() : `${path} ${each.name()}`, program),
    ),
  ];
}

/** `help` takes the words of a command, and at first the topics. */
function helpNode(path: string, words: readonly CompletionWord[]): CompletionNode {
  const topics = path === '' ? HELP_TOPICS : [];
  return {
    path: path === '' ? 'help' : `help ${path}`,
    words: [...words, ...topics.map((name) => ({ name, summary: 'a table', leads: false }))],
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
