import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { DOORS } from '../../docs/site/doors.js';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/reference');

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const { exports }: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Each door of the package, its source and its page. */
const ALL = Object.entries(exports).flatMap(([name, entry]) => {
  if (typeof entry === 'string') return [];
  const source = entry.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts');
  return [
    {
      name: name.replace(/^\./, 'agent-auth'),
      source,
      page: `${name.slice(2) || 'agent-auth'}.md`,
    },
  ];
});

/** The names that a module exports, by its syntax; `export *` is followed. */
function exportedFrom(file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, importName, moduleRequest }) => {
      const from = moduleRequest?.value;
      // What another package exports is described there.
      if (from !== undefined && !from.startsWith('.')) return [];
      if (exportName.kind === 'Name') return [exportName.name ?? ''];
      if (importName.kind !== 'AllButDefault' || from === undefined) return [];
      return exportedFrom(join(dirname(file), from));
    }),
  );
}

/** What a page of the reference describes, or says is described on another. */
function describedOn(page: string): ReadonlySet<string> {
  const text = readFileSync(join(folder, page), 'utf8');
  const names = [
    ...text.matchAll(/^### (?:abstract )?([\w\\$]+)/gm),
    ...text.matchAll(/^- \[([\w\\$]+)\]\(/gm),
  ];
  return new Set(names.map(([, name = '']) => name.replaceAll('\\', '')));
}

it.each(ALL)('has every exported name of $name; else: npm run reference', ({ source, page }) => {
  const names = [...new Set(exportedFrom(join(root, source)))];
  expect(names).not.toEqual([]);
  const described = describedOn(page);
  expect(names.filter((name) => !described.has(name))).toEqual([]);
});

it('has no name of a door that is not exported any more', () => {
  const gone = ALL.flatMap(({ source, page }) => {
    const names = new Set(exportedFrom(join(root, source)));
    return [...describedOn(page)].filter((name) => !names.has(name)).map((name) => [page, name]);
  });
  expect(gone).toEqual([]);
});

it('has every door in its index, and no page of a door that is gone', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const pages = ALL.map(({ page }) => page);
  for (const { name, page } of ALL) expect(index).toContain(`| [\`${name}\`](${page}) | `);
  const others = readdirSync(folder).filter(
    (name) => !pages.includes(name) && name !== 'README.md',
  );
  expect(others.filter((name) => !/^mock-\w+-rewire\.md$/.test(name))).toEqual([]);
  for (const { guide } of Object.values(DOORS))
    expect(existsSync(join(root, 'docs', guide))).toBe(true);
});

it('names no place of the machine that wrote it', () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const place = /\/tmp\/|\/home\/|file:\/\/|node_modules|typedoc/.exec(text);
    expect([name, place]).toEqual([name, null]);
  }
});

it('has every door in the table of the guide, data too', () => {
  const guide = readFileSync(join(root, 'docs/library.md'), 'utf8');
  const table = guide.slice(0, guide.indexOf('\n## '));
  const names = Object.keys(exports)
    .filter((name) => name !== './package.json')
    .map((name) => name.replace(/^\./, 'agent-auth').replace(/\*\.json$/, ''));
  expect(names.filter((name) => !new RegExp(`\`${name}[\`A-Za-z]`).test(table))).toEqual([]);
});
