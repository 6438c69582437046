import type { Command } from 'commander';
import { COMMON, FACTS } from '../../../scripts/docs/commands/facts.js';
import { buildProgram } from '../../../src/cli/program.ts';
import { EXEC_EXIT_CODES, EXIT_CODES } from '../../../src/cli/shell/exit-codes.ts';
import { SCHEMAS, type SchemaName } from '../../../src/cli/shell/schemas.ts';

const TREE = buildProgram(async () => {}, { stdout: () => {}, stderr: () => {}, version: '0' });
const CODES: Readonly<Record<string, { readonly code: number }>> = {
  ...EXIT_CODES,
  ...EXEC_EXIT_CODES,
};
/** Printed by any command. */
const ANYWHERE: readonly SchemaName[] = ['error', 'debug', 'version'];

/**
 * Holds a run against the page of its command: its exit code and the JSON objects that it printed stand there.
 * @throws Error naming what does not.
 */
export function checkDocumented(
  line: readonly string[],
  { code, stdout }: { readonly code: number; readonly stdout: string },
): void {
  const words = wordsOf(line);
  const name = words.join(' ') || 'agent-auth';
  const facts = words
    .map((_word, index) => FACTS[words.slice(0, words.length - index).join(' ')])
    .find((each) => each !== undefined);
  // The exit code of `exec` is that of its command.
  if (words[0] !== 'exec') {
    const codes = [...COMMON, ...Object.keys(facts?.exits ?? {})].map((each) => CODES[each]?.code);
    if (!codes.includes(code) && facts?.declined?.code !== code) {
      throw new Error(`The page of ${name} does not list exit ${code}: ${HERE}.`);
    }
  }
  const known = [...ANYWHERE, ...(facts?.json ?? [])].map((each): string => SCHEMAS[each]);
  for (const [, schema = ''] of stdout.matchAll(/^\{"schema":"(agent-auth\.[^"]+)"/gm)) {
    if (known.includes(schema)) continue;
    throw new Error(`The page of ${name} does not list the object ${schema}: ${HERE}.`);
  }
}

const HERE = 'scripts/docs/commands/facts.js has what is printed there';

/** The words of the command in a line, as far as they are one. */
function wordsOf(line: readonly string[]): readonly string[] {
  let at: Command = TREE;
  const words: string[] = [];
  for (const word of line.filter((each) => !each.startsWith('-'))) {
    const next = at.commands.find((each) => each.name() === word);
    // The value of an option may stand before the command.
    if (next === undefined && words.length > 0) break;
    if (next === undefined) continue;
    words.push(word);
    at = next;
  }
  return words;
}
