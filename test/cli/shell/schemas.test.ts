import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { SCHEMAS } from '../../../src/cli/shell/schemas.ts';

const [, table = ''] = readFileSync('docs/json.md', 'utf8').split('## Every schema');
const rows = [...table.matchAll(/^\| (`agent-auth\.[^|]+) \| ([^|]+) \|/gm)];
const wordsIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

it('names every schema in the docs, each once, and no other', () => {
  const documented = rows.flatMap(([, schemas]) => wordsIn(schemas));
  expect(documented.sort()).toEqual(Object.values(SCHEMAS).sort());
});

it('names none that prints it but commands and options that there are', () => {
  const program = buildProgram(async () => {}, { stdout: () => {}, stderr: () => {} });
  const known = (line: string) => {
    let at: Command | undefined = program;
    for (const word of line.split(' ')) {
      if (word.startsWith('--')) return at?.options.some(({ long }) => long === word) === true;
      const below: Command | undefined = at?.commands.find((each) => each.name() === word);
      // What is no command is an argument of the last one: `help options`, `claim wait`.
      if (below === undefined) return (at?.registeredArguments.length ?? 0) > 0;
      at = below;
    }
    return true;
  };
  const printers = rows.flatMap(([, , cell]) => wordsIn(cell)).filter((word) => !/[()]/.test(word));
  expect(printers.length).toBeGreaterThan(50);
  expect(printers.filter((line) => !known(line))).toEqual([]);
});
