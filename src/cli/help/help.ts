import { type Command, Help } from 'commander';
import { AGENT_CODES, type AgentSurface, type ErrorKind } from '../../agent/index.ts';
import { kindOfWireCode } from '../../agent/problems/problem.ts';
import { AGENT_MOVES, WIRE_CODES, type WireCode } from '../../protocol/index.ts';
import { nearest } from '../../runtime/nearest.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { ENVIRONMENT_VARIABLES } from '../shell/environment.ts';
import { EXEC_EXIT_CODES, EXIT_CODES, OUTCOME_OF_KIND, type Outcome } from '../shell/exit-codes.ts';
import { helpWidth } from '../shell/help-text.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { PROGRAM_CODES } from '../shell/program-codes.ts';
import type { Style } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { HELP_TOPICS } from './completion/complete.ts';

/** What `error` in `--json` holds, and `next` in it and elsewhere. `help errors` prints it. */
const ERROR_MEMBERS: Readonly<Record<string, string>> = {
  code: 'What happened, for programs: a stable name in snake_case.',
  message: 'What happened and what the state is now, for people. The wording may change.',
  hint: 'What to do, as a sentence; null where next is enough.',
  next: 'The command to run next; null where there is none.',
  'next.argv': 'That command for running without a shell: one element per word, the program first.',
  'next.line': 'That command for pasting into a shell: argv, quoted.',
  'next.needs': 'Elements of argv to fill in first, such as EMAIL; empty: run it as it is.',
  others: 'In results with several next commands: the others, each like next.',
  retryable: 'Whether the same command can succeed later without any change.',
  exit_code: 'The exit code of the command; help exit-codes lists them.',
};

type Row = readonly [name: string, meaning: string];

/** The help of a command, or a topic that is a table of the code. */
export async function help(
  context: Context,
  program: Command,
  topic: readonly string[],
): Promise<Outcome> {
  const { output, world } = context;
  const { stdout } = world.streams;
  const columns = stdout.isTTY ? helpWidth(stdout.columns) : undefined;
  const [first, ...rest] = topic;
  if (first === 'exit-codes' && rest.length === 0) output.result(presentExitCodes(columns));
  else if (first === 'errors' && rest.length === 0) output.result(presentErrors(columns));
  else if (first === 'options' && rest.length === 0)
    output.result(presentOptions(program, columns));
  else if (first === 'environment' && rest.length === 0) output.result(presentEnvironment(columns));
  else findCommand(context, program, topic).outputHelp();
  return 'done';
}

function findCommand(context: Context, program: Command, path: readonly string[]): Command {
  let at = program;
  for (const [index, name] of path.entries()) {
    const next = at.commands.find((command) => command.name() === name);
    if (next === undefined) {
      const known = at.commands.map((command) => command.name());
      const near = nearest(name, index === 0 ? [...known, ...HELP_TOPICS] : known);
      throw usageError(`There is no help for '${path.join(' ')}'.`, {
        hint:
          near === undefined
            ? `Topics: any command, ${HELP_TOPICS.join(', ')}.`
            : `Did you mean ${near}?`,
        next: nextLine(context, 'help', ...path.slice(0, index), ...(near ? [near] : [])),
      });
    }
    at = next;
  }
  return at;
}

/** @param columns of the terminal; `undefined` for a pipe, where a row stays one line. */
function presentExitCodes(columns: number | undefined): Rendering {
  const rows = Object.entries({ ...EXIT_CODES, ...EXEC_EXIT_CODES }).sort(
    ([, a], [, b]) => a.code - b.code,
  );
  return {
    schema: 'exitCodes',
    json: () => ({
      exit_codes: rows.map(([outcome, { code, meaning }]) => ({ code, outcome, meaning })),
    }),
    human: (style) =>
      definitions(
        style,
        ['exit', 'meaning'],
        rows.map(([, { code, meaning }]) => [String(code), meaning]),
        columns,
      ),
  };
}

function presentEnvironment(columns: number | undefined): Rendering {
  const rows = Object.entries(ENVIRONMENT_VARIABLES);
  return {
    schema: 'environment',
    json: () => ({ variables: rows.map(([name, meaning]) => ({ name, meaning })) }),
    human: (style) => definitions(style, ['variable', 'meaning'], rows, columns),
  };
}

/** Where the wire answers an agent with a code. */
const SURFACES: Readonly<Record<AgentSurface, string>> = {
  identity: 'registration',
  claim: 'claim',
  read_back: 'handing in a code',
  refresh: 'refresh',
  token: 'token',
  revocation: 'revocation',
  resource: 'call',
  provider: 'provider',
};

/** A code, what it means, what to do then, and the exit code of the command that ends with it. */
interface ErrorCode {
  readonly code: string;
  /** Where it was answered; `null`: the agent or the program gives it by itself. */
  readonly at: string | null;
  readonly meaning: string;
  readonly advice: string;
  readonly exit_code: number;
}

/** Every code of the program and of the agent, and every code by which a service or a provider refuses. */
function errorCodes(): readonly ErrorCode[] {
  const ofProgram = Object.entries(PROGRAM_CODES).flatMap(([code, { means, advice, ...end }]) => {
    const ending = (at: string | null, outcome: Outcome) => {
      const { code: exit_code } = EXIT_CODES[outcome];
      return { code, at, meaning: means, advice, exit_code };
    };
    const judging = 'judging' in end ? [ending('conformance', end.judging)] : [];
    return [ending(null, end.ends), ...judging];
  });
  const own = Object.entries(AGENT_CODES).map(([code, { kind, means, advice }]) => {
    return { code, at: null, meaning: means, advice, exit_code: exitOf(kind) };
  });
  const ofWire = Object.entries(SURFACES).flatMap(([surface, at]) => {
    const codes: Readonly<Record<string, WireCode>> = WIRE_CODES[surface as AgentSurface];
    return Object.entries(codes).map(([code, { description, next }]) => ({
      code,
      at,
      meaning: description,
      advice: asSentence(AGENT_MOVES[next]),
      exit_code: exitOf(kindOfWireCode(code, next)),
    }));
  });
  return [...own, ...ofProgram, ...ofWire];
}

function exitOf(kind: ErrorKind): number {
  return EXIT_CODES[OUTCOME_OF_KIND[kind]].code;
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What a program reads in an error under `--json`, and every code that can stand in it. */
function presentErrors(columns: number | undefined): Rendering {
  const members = Object.entries(ERROR_MEMBERS);
  const codes = errorCodes();
  const shown = codes.map(({ code, at, meaning, advice, exit_code }): Row => {
    const where = at === null ? '' : `, ${at}`;
    return [code, `${meaning} ${advice} (exit ${exit_code}${where})`];
  });
  return {
    schema: 'errorMembers',
    json: () => ({ members: members.map(([name, meaning]) => ({ name, meaning })), codes }),
    human: (style) =>
      [
        definitions(style, ['member', 'meaning'], members, columns),
        definitions(style, ['code', 'meaning'], shown, columns),
      ].join('\n\n'),
  };
}

/** The options of the program itself, which every command takes. */
function presentOptions(program: Command, columns: number | undefined): Rendering {
  const rows = program.options
    .filter(({ long }) => long !== '--version')
    .map(({ flags, description }): Row => [flags, description]);
  return {
    schema: 'options',
    json: () => ({ options: rows.map(([flags, description]) => ({ flags, description })) }),
    human: (style) => definitions(style, ['option', 'meaning'], rows, columns),
  };
}

/** A table of names and meanings; a meaning is wrapped within its column. */
function definitions(
  { bold }: Style,
  [name, meaning]: Row,
  rows: readonly Row[],
  columns: number | undefined,
): string {
  const widest = Math.max(...rows.map(([term]) => term.length));
  const help = new Help();
  help.minWidthToWrap = 20;
  const wrap = (text: string): readonly string[] =>
    columns === undefined ? [text] : help.boxWrap(text, columns - widest - 2).split('\n');
  return table([
    [bold(name), bold(meaning)],
    ...rows.flatMap(([term, text]) =>
      wrap(text).map((line, index) => [index === 0 ? term : '', line]),
    ),
  ]);
}
