import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { CONFIG_SCHEMAS } from '../../src/cli/mock/servers/config/config-schema.ts';
import { buildProgram } from '../../src/cli/program.ts';
import type { MockCommand, Row } from './row.ts';

/** The options that commander knows for a command: `--port`, … */
export function flagsOf(command: MockCommand): readonly string[] {
  const mock = buildProgram(async () => {}, { stdout: () => {}, stderr: () => {} }).commands.find(
    (each) => each.name() === 'mock',
  );
  const found = mock?.commands.find((each) => each.name() === command);
  return (found?.options ?? []).flatMap(({ long }) => (long ? [long] : []));
}

/** The keys that the file of a command may hold. */
export function keysOf(command: MockCommand): readonly string[] {
  return Object.keys(CONFIG_SCHEMAS[command].shape);
}

const SHARED = ['src/mock/controls/mock-options.ts', 'MockOptions'] as const;
const OPTIONS = {
  service: [['src/mock-service/options.ts', 'MockServiceOptions'], SHARED],
  provider: [
    ['src/mock-provider/options.ts', 'MockProviderOptions'],
    ['src/mock-provider/config/config.ts', 'ProviderSettings'],
    SHARED,
  ],
} as const;

interface Declaration {
  readonly type: string;
  readonly declaration?: Declaration;
  readonly id?: { readonly name: string };
  readonly body?: { readonly body: readonly { readonly key?: { readonly name: string } }[] };
}

/** The members of the interface of a mock's options, and of what it extends, as their sources declare them. */
export function membersOf(of: Row['of']): readonly string[] {
  return OPTIONS[of].flatMap(declared);
}

function declared([path, name]: readonly [path: string, name: string]): readonly string[] {
  const { program } = parseSync(
    path,
    readFileSync(join(import.meta.dirname, '../..', path), 'utf8'),
  );
  const found = (program.body as unknown as readonly Declaration[])
    .map((statement) => statement.declaration ?? statement)
    .find((each) => each.type === 'TSInterfaceDeclaration' && each.id?.name === name);
  return (found?.body?.body ?? []).flatMap(({ key }) => (key === undefined ? [] : [key.name]));
}
