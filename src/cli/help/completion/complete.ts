import type { Command } from 'commander';
import type { World } from '../../shell/world.ts';

/** The words of `help` that are no commands. */
export const HELP_TOPICS = ['options', 'errors', 'exit-codes', 'environment'] as const;

/** A word that can stand where one is typed, and what it is. */
type Candidate = readonly [word: string, summary?: string];

/**
 * What a shell proposes for the last of the words behind `agent-auth`: a line each, `WORD<tab>SUMMARY`. A word that
 * ends in `=` or `@` goes on. The line `:file<tab>PREFIX` stands for the files behind the prefix, `:command` for the
 * commands of the machine.
 */
export async function complete(
  world: World,
  program: Command,
  typed: readonly string[],
): Promise<readonly string[]> {
  const words = joined(typed);
  const last = words.at(-1) ?? '';
  const at = whereIs(program, words.slice(0, -1));
  if (at.isBeyond) return at.isFirst ? [':command'] : [':file\t'];
  const [, flag, begun] = /^(--[^=]+=)(.*)$/s.exec(last) ?? [];
  const option = flag === undefined ? at.option : optionOf(at, flag.slice(0, -1));
  if (option !== undefined) {
    // bash takes the flag and its value for two words.
    const prefix = typed.at(-1)?.startsWith('--') ? (flag ?? '') : '';
    const known = await knownAt(world, `${at.path} ${option.long}`);
    const choices = option.argChoices ?? known;
    return choices === undefined
      ? files(option.flags, begun ?? last, prefix)
      : fitting(
          choices.map((choice): Candidate => [choice]),
          begun ?? last,
          prefix,
        );
  }
  if (last.startsWith('-')) return fitting(flagsOf(at), last);
  const names = at.command.commands.filter((each) => each.name() !== 'help' || !at.path);
  const below = names.map((each): Candidate => [each.name(), each.summary()]);
  if (at.isHelp) {
    const topics = at.path === '' ? HELP_TOPICS.map((name): Candidate => [name, 'a table']) : [];
    return fitting([...below, ...topics], last);
  }
  const choices = at.command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const known = await knownAt(world, at.path);
  const others = [...choices, ...(known ?? [])].map((word): Candidate => [word]);
  return [
    ...fitting([...below, ...others], last),
    ...(TAKES_FILES.has(at.path) ? [':file\t'] : []),
  ];
}

const TAKES_FILES: ReadonlySet<string> = new Set(['lint']);

/** bash makes words of `--option`, `=` and the value. */
function joined(typed: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (const [index, word] of typed.entries()) {
    const isAfter = typed[index - 1] === '=' && typed[index - 2]?.startsWith('--');
    if ((word === '=' && words.at(-1)?.startsWith('--')) || isAfter) words.push(words.pop() + word);
    else words.push(word);
  }
  return words;
}

interface Place {
  readonly program: Command;
  readonly command: Command;
  /** The words of the command. */
  readonly path: string;
  readonly isHelp: boolean;
  /** The option whose value comes next. */
  readonly option: Command['options'][number] | undefined;
  /** Behind `--`, where the words of another program stand; and whether none of them is there yet. */
  readonly isBeyond: boolean;
  readonly isFirst: boolean;
}

function whereIs(program: Command, words: readonly string[]): Place {
  let command = program;
  let path: readonly string[] = [];
  let isHelp = false;
  let option: Place['option'];
  for (const [index, word] of words.entries()) {
    const here = { program, command, path: path.join(' '), isHelp, option };
    if (option !== undefined) option = undefined;
    else if (word === '--') {
      return { ...here, isBeyond: true, isFirst: index === words.length - 1 };
    } else if (word.startsWith('-')) {
      const typed = word.includes('=') ? undefined : optionOf(here, word);
      option = typed?.required || typed?.optional ? typed : undefined;
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next !== undefined && word === 'help' && command === program) isHelp = true;
      else if (next !== undefined) {
        command = next;
        path = [...path, word];
      }
    }
  }
  const place = { program, command, path: path.join(' '), isHelp, option };
  return { ...place, isBeyond: false, isFirst: false };
}

function optionOf({ command, program }: Pick<Place, 'command' | 'program'>, flag: string) {
  return [...command.options, ...program.options].find(
    ({ long, short }) => flag === long || flag === short,
  );
}

function flagsOf({ command, isHelp, program }: Place): readonly Candidate[] {
  const all = isHelp ? [] : [...command.options, ...program.options];
  const seen = new Map<string, string>();
  for (const { description, hidden, long, short } of all) {
    for (const flag of hidden ? [] : [short, long]) {
      if (flag !== undefined && !seen.has(flag)) seen.set(flag, description);
    }
  }
  return [...seen, ['-h', 'show this help'], ['--help', 'show this help']];
}

function fitting(candidates: readonly Candidate[], begun: string, prefix = ''): readonly string[] {
  return candidates
    .filter(([word]) => word.startsWith(begun))
    .map(([word, summary = '']) => `${prefix}${word}\t${summary.replaceAll(/\s+/g, ' ')}`);
}

/** Where its placeholder says that a file is meant; where it is one behind an `@`, that comes first. */
function files(flags: string, begun: string, prefix: string): readonly string[] {
  const placeholder = /[<[]([^>\]]*)[>\]]/.exec(flags)?.[1] ?? '';
  if (placeholder === 'file') return [`:file\t${prefix}`];
  if (!placeholder.includes('@file')) return [];
  return begun.startsWith('@') ? [`:file\t${prefix}@`] : fitting([['@', 'a file']], begun, prefix);
}

/** What the tree of commands does not hold: it would be slow to load for every command. */
async function knownAt(world: World, place: string): Promise<readonly string[] | undefined> {
  const { KNOWN_VALUES } = await import('./known-values.ts');
  const known = KNOWN_VALUES.find(([places]) => places.includes(place));
  const values = await known?.[1](world).catch(() => []);
  // A shell may expand what it completes: an id that holds `$(…)` would be run.
  return values && [...new Set(values)].filter((each) => /^[\w][\w.~=-]{0,199}$/.test(each));
}
