import type { Command } from 'commander';
import { hasSecret } from './has-secret.ts';
import { commandLine, type Next } from './next.ts';

/** The typed command line, and the command that it names. */
export interface TypedLine {
  /** How the program was called: `['npx', 'agent-auth']`. */
  readonly program: readonly string[];
  readonly argv: readonly string[];
  readonly root: Command;
  readonly command: Command;
  /** Words of the command, without the program: `['claim', 'wait']`. */
  readonly path: readonly string[];
}

export function readTypedLine(
  root: Command,
  argv: readonly string[],
  programName: string,
): TypedLine {
  let command = root;
  const path: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word.startsWith('-')) {
      const option = root.options.find(({ long, short }) => word === long || word === short);
      if (option?.required) index += 1;
      continue;
    }
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
    path.push(word);
  }
  return { program: programName.split(' '), argv, root, command, path };
}

export function helpOf({ program, path }: TypedLine): Next {
  return commandLine(...program, 'help', ...path);
}

/** The same line with one word corrected; `undefined` where a word of it may be a secret. */
export function corrected(
  { program, argv }: Pick<TypedLine, 'program' | 'argv'>,
  wrong: string,
  right: readonly string[],
): Next | undefined {
  if (hasSecret(argv)) return undefined;
  const last = right.at(-1) ?? '';
  const at = argv.findIndex(
    (word) => word === wrong || word.startsWith(`${wrong}=`) || word.endsWith(`=${wrong}`),
  );
  const word = argv[at];
  if (word === undefined) return undefined;
  const better =
    word === wrong
      ? right
      : [
          word.startsWith(`${wrong}=`)
            ? last + word.slice(wrong.length)
            : word.slice(0, -wrong.length) + last,
        ];
  return commandLine(...program, ...argv.slice(0, at), ...better, ...argv.slice(at + 1));
}
