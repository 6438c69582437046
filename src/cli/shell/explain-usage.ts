import type { Command, CommanderError } from 'commander';
import { displayText } from '../../protocol/text.ts';
import { nearest } from '../../runtime/nearest.ts';
import { type CliError, type CliErrorOptions, usageError } from './cli-error.ts';
import { commandLine, type Next } from './next.ts';
import { STARTERS } from './next-line.ts';
import { redactTyped } from './redact-url.ts';
import { corrected, helpOf, type TypedLine } from './typed-line.ts';

type Words = Pick<CliErrorOptions, 'message' | 'hint' | 'next'>;

/** Placeholders of the arguments in a suggested line. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  url: 'URL',
  'url|path': '/PATH',
  registration: 'REGISTRATION',
  file: 'FILE',
};

/** A usage error of commander in our own words, with the command line that was probably meant. */
export function explainUsage(error: CommanderError, typed: TypedLine): CliError {
  const [text = ''] = error.message.replace(/^error: /, '').split('\n');
  const explain = EXPLANATIONS[error.code];
  const { message, hint, next } = explain?.(text, typed) ?? {
    message: 'The command line is invalid.',
  };
  return usageError(displayText(message, 300), {
    // Without another line to type, the help is the next step, and is named once.
    hint: hint ?? (next === undefined ? undefined : `See: ${helpOf(typed).line}`),
    next: next ?? helpOf(typed),
    cause: error,
  });
}

const EXPLANATIONS: Readonly<Record<string, (text: string, typed: TypedLine) => Words>> = {
  'commander.help': () => ({ message: 'A command is missing.' }),

  'commander.unknownCommand': (text, typed) => {
    const name = quoted(text);
    const near = nearest(name, names(typed.command));
    const elsewhere = near === undefined ? pathTo(typed.root, name) : undefined;
    return {
      message: `Unknown command '${name}'.`,
      ...meant(typed, name, near ?? elsewhere),
    };
  },

  'commander.unknownOption': (text, typed) => {
    const [flag = '', value] = quoted(text).split('=');
    if (value !== undefined && flags(typed.command).includes(flag)) {
      return {
        message: `${flag} takes no value.`,
        next: corrected(typed, quoted(text), [flag]),
      };
    }
    const near = flag.startsWith('--') ? nearest(flag, flags(typed.command)) : undefined;
    if (near === undefined && flag.startsWith('--')) {
      const others = commandsWith(typed.root, flag, typed.path[0]);
      if (others.length > 0) return optionElsewhere(flag, others, typed);
    }
    const right = meant(typed, flag, near);
    // Without its value the corrected line would fail as well.
    const isBare = typed.argv.at(-1) === flag && takesValue(typed.command, near);
    return {
      message: `Unknown option '${flag}'.`,
      hint: right.hint,
      next: isBare ? undefined : right.next,
    };
  },

  'commander.excessArguments': (_text, typed) => {
    const { command, path } = typed;
    const expected = command.registeredArguments.length;
    const extra = command.args[expected] ?? '';
    const takes = expected === 0 ? 'none' : command.registeredArguments.map(label).join(' ');
    const message = `Too many arguments: '${extra}'. ${path.join(' ')} takes ${takes}.`;
    const isService = expected === 0 && /^https?:/.test(extra) && !STARTERS.has(path.join(' '));
    const near = isService ? `--service ${extra}` : nearest(extra, names(command));
    return { message, ...meant(typed, extra, near) };
  },

  'commander.missingArgument': (text, typed) => {
    const { command, program, argv } = typed;
    const missing = command.registeredArguments.find((each) => each.name() === quoted(text));
    const placeholder = ARGUMENTS[quoted(text)];
    return {
      message: `The argument '${quoted(text)}' is missing.`,
      hint: missing && `${missing.name()}: ${missing.description}`,
      next: placeholder === undefined ? undefined : commandLine(...program, ...argv, placeholder),
    };
  },

  'commander.optionMissingArgument': (text) => ({
    message: `${longOf(quoted(text))} needs a value: ${quoted(text)}.`,
  }),

  'commander.missingMandatoryOptionValue': (text) => ({
    message: `The option ${quoted(text)} is missing.`,
  }),

  'commander.conflictingOption': (text) => {
    const [, one = '', other = ''] = /'([^']*)'.*'([^']*)'/.exec(text) ?? [];
    return { message: `${longOf(one)} and ${longOf(other)} cannot be combined.` };
  },

  'commander.invalidArgument': (text, typed) => {
    const [, flag, ofFlag] = /^option '(.*?)' argument '(.*)' is invalid\./s.exec(text) ?? [];
    const [, ofArgument, argument] =
      /^command-argument value '(.*)' is invalid for argument '(.*?)'\./s.exec(text) ?? [];
    const value = ofFlag ?? ofArgument ?? '';
    const what = flag === undefined ? argument : longOf(flag);
    const [, why = ''] = /is invalid(?: for argument '.*?')?\. ?(.*)$/s.exec(text) ?? [];
    const [, list] = /^Allowed choices are (.*)\.$/s.exec(why) ?? [];
    const choices = list?.split(', ') ?? [];
    const near = nearest(value, choices);
    const { hint, next } = meant(typed, value, near);
    const all = list === undefined ? why : `Use one of: ${list}.`;
    return {
      message: `Invalid ${what} '${redactTyped(value)}'.`,
      hint: [hint, all].filter(Boolean).join(' ') || undefined,
      next,
    };
  },
};

function meant(
  typed: TypedLine,
  wrong: string,
  right: string | undefined,
): { readonly hint?: string; readonly next?: Next | undefined } {
  if (right === undefined) return {};
  return { hint: `Did you mean ${right}?`, next: corrected(typed, wrong, right.split(' ')) };
}

function quoted(text: string): string {
  return /'(.*)'/s.exec(text)?.[1] ?? '';
}

/** `--request` of `-X, --request <method>`. */
function longOf(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

function label(argument: { name(): string; required: boolean }): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function names(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
}

function flags(command: Command | null): readonly string[] {
  if (command === null) return [];
  const own = command.options.flatMap(({ hidden, long }) => (hidden || !long ? [] : [long]));
  return [...own, '--help', ...flags(command.parent)];
}

/** How many commands are named at most as those that have an option. */
const MOST_NAMED = 3;

/** The commands that have this option of their own: those of the same group, where there are some. */
function commandsWith(root: Command, flag: string, group: string | undefined): readonly string[] {
  const paths = (command: Command, path: readonly string[]): readonly string[] => [
    ...(path.length > 0 && command.options.some(({ hidden, long }) => !hidden && long === flag)
      ? [path.join(' ')]
      : []),
    ...command.commands.flatMap((each) => paths(each, [...path, each.name()])),
  ];
  const all = paths(root, []);
  const near = all.filter((path) => path.split(' ')[0] === group);
  return near.length > 0 ? near : all;
}

function optionElsewhere(flag: string, others: readonly string[], typed: TypedLine): Words {
  const [first = '', another] = others;
  const named = others.slice(0, MOST_NAMED).map((path) => `'${path}'`);
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : '';
  return {
    message: `Unknown option '${flag}'.`,
    hint: `It is an option of ${named.join(', ')}${more}.`,
    next:
      another === undefined
        ? commandLine(...typed.program, 'help', ...first.split(' '))
        : helpOf(typed),
  };
}

function takesValue(command: Command | null, flag: string | undefined): boolean {
  if (command === null) return false;
  const option = command.options.find(({ long }) => long === flag);
  return option === undefined ? takesValue(command.parent, flag) : option.required;
}

/** Where a command of that name is, when it stands below another: `mock up`. */
function pathTo(root: Command, name: string): string | undefined {
  for (const group of root.commands) {
    if (names(group).includes(name)) return `${group.name()} ${name}`;
  }
  return undefined;
}
