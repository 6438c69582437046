import { type Command, Help } from 'commander';
import { ENVIRONMENT_VARIABLES } from '../shell/environment.ts';
import { EXEC_EXIT_CODES, EXIT_CODES } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { ERROR_MEMBERS } from './error-members.ts';

type Row = readonly [name: string, meaning: string];

/** @param columns of the terminal; `undefined` for a pipe, where a row stays one line. */
export function presentExitCodes(columns: number | undefined): Rendering {
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

export function presentEnvironment(columns: number | undefined): Rendering {
  const rows = Object.entries(ENVIRONMENT_VARIABLES);
  return {
    schema: 'environment',
    json: () => ({ variables: rows.map(([name, meaning]) => ({ name, meaning })) }),
    human: (style) => definitions(style, ['variable', 'meaning'], rows, columns),
  };
}

/** What a program reads in an error under `--json`. */
export function presentErrorMembers(columns: number | undefined): Rendering {
  const rows = Object.entries(ERROR_MEMBERS);
  return {
    schema: 'errorMembers',
    json: () => ({ members: rows.map(([name, meaning]) => ({ name, meaning })) }),
    human: (style) => definitions(style, ['member', 'meaning'], rows, columns),
  };
}

/** The options of the program itself, which every command takes. */
export function presentOptions(program: Command, columns: number | undefined): Rendering {
  const rows = program.options
    .filter(({ long }) => long !== '--version')
    .map(({ flags, description }): Row => [flags, description]);
  return {
    schema: 'options',
    json: () => ({ options: rows.map(([flags, description]) => ({ flags, description })) }),
    human: (style) => definitions(style, ['option', 'meaning'], rows, columns),
  };
}

/** Names and what they mean; the meaning is wrapped within its own column. */
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
