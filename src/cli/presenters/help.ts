import { ENVIRONMENT_VARIABLES } from '../environment.ts';
import { EXEC_EXIT_CODES, EXIT_CODES } from '../exit-codes.ts';
import type { Rendering } from '../output.ts';
import { table } from '../terminal/table.ts';

export function presentExitCodes(): Rendering {
  const rows = Object.entries({ ...EXIT_CODES, ...EXEC_EXIT_CODES }).sort(
    ([, a], [, b]) => a.code - b.code,
  );
  return {
    schema: 'exitCodes',
    json: () => ({
      exit_codes: rows.map(([outcome, { code, meaning }]) => ({ code, outcome, meaning })),
    }),
    human: (style) =>
      table([
        [style.bold('exit'), style.bold('meaning')],
        ...rows.map(([, { code, meaning }]) => [String(code), meaning]),
      ]),
  };
}

export function presentEnvironment(): Rendering {
  const rows = Object.entries(ENVIRONMENT_VARIABLES);
  return {
    schema: 'environment',
    json: () => ({ variables: rows.map(([name, meaning]) => ({ name, meaning })) }),
    human: (style) =>
      table([[style.bold('variable'), style.bold('meaning')], ...rows.map((row) => [...row])]),
  };
}
