import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf, MANIFEST, ROOT } from './project.ts';

/** Whose types a door shows on purpose: those of the peer that it is for, or of Node. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  './msw': ['msw'],
  './vitest': ['vitest'],
  './conformance': ['node:crypto'],
};

const doors = Object.entries(MANIFEST.exports).flatMap(([door, entry]) =>
  typeof entry === 'string' ? [] : [[door, entry.types] as const],
);

it.each(doors)('%s shows no type of a dependency', (door, types) => {
  expect(foreignTypes(join(ROOT, types), SHOWN[door] ?? [])).toEqual([]);
});

it.each(doors)('%s exports what its source does', async (_door, types) => {
  const name = types.replace(/^\.\/dist\/types\/|\.d\.ts$/g, '');
  const built = await import(join(ROOT, `dist/${name}.js`));
  const source = await import(join(ROOT, `src/${name}.ts`));
  expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
});

it('agent-auth/agent loads nothing of Node as it starts', () => {
  const loaded = foreignImports(join(ROOT, 'dist/agent/index.js'));
  const ofNode = loaded.filter((name) => builtinModules.includes(name.replace(/^node:/, '')));
  expect(ofNode).toEqual([]);
});

/** Everything in the declarations that a door leads to which somebody else declares. */
function foreignTypes(door: string, shown: readonly string[]): readonly string[] {
  return reach(door, (specifier, from) => {
    const path = resolve(dirname(from), specifier);
    return [path, path.replace(/\.(js|ts)$/, '.d.ts')].find(
      (each) => each.endsWith('.d.ts') && existsSync(each),
    );
  }).flatMap(({ path, text, foreign }) =>
    [
      ...foreign.filter((name) => !shown.includes(name)),
      ...(/\bNodeJS\.|\bBuffer\b|<reference types/.exec(text) ?? []),
    ].map((what) => `${relative(ROOT, path)}: ${what}`),
  );
}

function foreignImports(entry: string): readonly string[] {
  const found = reach(entry, (specifier, from) => resolve(dirname(from), specifier));
  return [...new Set(found.flatMap(({ foreign }) => foreign))].sort();
}

interface Reached {
  readonly path: string;
  /** Without its comments. */
  readonly text: string;
  readonly foreign: readonly string[];
}

/** The files that a file leads to by what it imports, itself first. */
function reach(
  entry: string,
  find: (specifier: string, from: string) => string | undefined,
): readonly Reached[] {
  const found = new Map<string, Reached>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const foreign: string[] = [];
    const specifiers = path.endsWith('.js')
      ? importsOf(text)
      : [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n]+)["']/g)].map(
          ([, specifier = '']) => specifier,
        );
    for (const specifier of specifiers) {
      const own = specifier.startsWith('.') ? find(specifier, path) : undefined;
      if (own === undefined) foreign.push(specifier);
      else waiting.push(own);
    }
    found.set(path, { path, text, foreign });
  }
  return [...found.values()];
}
