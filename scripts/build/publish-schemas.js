/**
 * Rewrites the declarations of the wire's schemas in `.cache/types`, so that nobody who imports the package
 * needs the types of zod: each schema becomes a `Schema` of the plain type that the compiler sees in it,
 * and each type that was inferred from one is inferred from that. The build runs it after `tsc`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src/protocol/schemas');
const target = join(root, '.cache/types/protocol/schemas');
const work = join(root, '.cache/schemas');

const DOC = String.raw`((?:^/\*\*(?:(?!\*/)[\s\S])*\*/\n)?)`;
const CONSTANT = new RegExp(`${DOC}^export const (\\w+) = (z\\b)?`, 'gm');
const TYPE = new RegExp(`${DOC}^export type (\\w+) = z\\.infer<typeof (\\w+)>;`, 'gm');
const EXPORT = /^export /gm;

/** The file itself, with every schema in it to be had: types are inferred from private ones, too. */
function opened(/** @type {string} */ name) {
  return readFileSync(join(source, name), 'utf8')
    .replace(/^const /gm, 'export const ')
    .replaceAll("from '../", "from '../../src/protocol/")
    .replaceAll("from './", "from './of-");
}

/** What stands in for a file of schemas while its declarations are made. */
function standIn(/** @type {string} */ name) {
  const text = readFileSync(join(source, name), 'utf8');
  const constants = [...text.matchAll(CONSTANT)];
  const types = [...text.matchAll(TYPE)];
  if (constants.length + types.length !== [...text.matchAll(EXPORT)].length) {
    throw new Error(`${name} exports something else than constants and z.infer<typeof CONSTANT>.`);
  }
  const exported = constants.map(([, , constant]) => constant);
  const hidden = new Set(
    types.map(([, , , from]) => from).filter((one) => !exported.includes(one ?? '')),
  );
  return [
    `import type * as given from './of-${name}';`,
    `import type { Infer } from '../../src/protocol/schema.ts';`,
    `import { publish } from './publish.ts';`,
    'declare const all: typeof given;',
    ...[...hidden].map((constant) => `const ${constant} = publish(all.${constant});`),
    ...constants.map(([, doc, constant, zod]) => {
      const value = zod === undefined ? `all.${constant}` : `publish(all.${constant})`;
      return `${doc}export const ${constant} = ${value};`;
    }),
    ...types.map(([, doc, type, from]) => `${doc}export type ${type} = Infer<typeof ${from}>;`),
  ].join('\n');
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const names = readdirSync(source);
for (const name of names) {
  writeFileSync(join(work, `of-${name}`), opened(name));
  writeFileSync(join(work, name), standIn(name));
}
writeFileSync(
  join(work, 'publish.ts'),
  `import type { $ZodType } from 'zod/v4/core';
import type { Schema } from '../../src/protocol/schema.ts';
export declare function publish<T>(given: $ZodType<T>): Schema<T>;
`,
);
writeFileSync(
  join(work, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.build.json',
    compilerOptions: {
      rootDir: '../..',
      outDir: 'out',
      allowJs: false,
      checkJs: false,
      // These files are made here: nothing else checks them.
      noCheck: false,
    },
    include: ['*.ts'],
  }),
);
const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', work], { stdio: 'inherit' });
for (const name of names) {
  const declarations = name.replace(/\.ts$/, '.d.ts');
  const text = readFileSync(join(work, 'out/.cache/schemas', declarations), 'utf8');
  writeFileSync(
    join(target, declarations),
    text
      .replace(/^import .*\n/gm, '')
      .replaceAll('../../src/protocol/schema.ts', '../schema.ts')
      .replace(/^/, "import type { Infer } from '../schema.ts';\n"),
  );
}
