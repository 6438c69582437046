import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** The first program of one of these names on a search path, or `undefined`. */
export function findOnPath(names: readonly string[], path: string): string | undefined {
  return path
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

/**
 * A `describe` for tests that run a program of somebody else. Without it they are skipped and say so; with
 * AGENT_AUTH_REQUIRE_<variable>=1 that is an error.
 */
export function describeWithProgram(
  program: { readonly label: string; readonly variable: string; readonly names: readonly string[] },
  name: string,
  body: (executablePath: string) => void,
): void {
  const found = findOnPath(program.names, process.env['PATH'] ?? '');
  const variable = `AGENT_AUTH_REQUIRE_${program.variable}`;
  if (found === undefined && process.env[variable] === '1') {
    throw new Error(`${variable}=1, but no ${program.label} is on the PATH`);
  }
  if (found === undefined) {
    process.stdout.write(`skipped: ${name}: no ${program.label} on the PATH\n`);
  }
  describe.skipIf(found === undefined)(name, () => body(found ?? ''));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
