import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';

/** The program, understanding lines and running none of them. */
function program(written: string[] = []): Command {
  const write = (text: string) => written.push(text);
  return buildProgram(async () => {}, { stdout: write, stderr: write });
}

function pathsOf(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  return [path, ...command.commands.flatMap((each) => pathsOf(each, [...path, each.name()]))];
}

async function examples(): Promise<readonly string[]> {
  const lines = new Set<string>();
  for (const path of pathsOf(program())) {
    const written: string[] = [];
    await program(written)
      .parseAsync([...path, '--help'], { from: 'user' })
      .catch(() => {});
    for (const [, line = ''] of written.join('').matchAll(/^ {2}\$ agent-auth (.+)$/gm)) {
      for (const part of line.split(' | agent-auth ')) lines.add(part);
    }
  }
  return [...lines];
}

/** As a shell splits it, as far as our examples go. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

it('every example of every help is a line that the program understands', async () => {
  const lines = await examples();
  expect(lines.length).toBeGreaterThan(40);
  const refused: string[] = [];
  for (const line of lines) {
    await program()
      .parseAsync(words(line), { from: 'user' })
      .catch((error: unknown) => {
        refused.push(`${line}: ${error instanceof Error ? error.message : String(error)}`);
      });
  }
  expect(refused).toEqual([]);
});
