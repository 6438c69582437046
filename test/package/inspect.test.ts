import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../scripts/package/inspect.js';
import { packed } from '../../scripts/package/packed-files.js';
import { isBuilt, NOT_BUILT } from '../cli/built/support.ts';
import { MANIFEST, ROOT } from './project.ts';

/** Asked of npm once: it takes seconds. */
let own: ReturnType<typeof packed> | undefined;
function ownPackage(): ReturnType<typeof packed> {
  own ??= packed(ROOT);
  return own;
}

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

const manifest = {
  name: 'sample',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  files: ['index.js', 'index.d.ts'],
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
};

/** What is found wrong with a right package in which this is otherwise; `undefined` is a file that is missing. */
function foundIn(
  changes: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string | undefined>> = {},
): Promise<readonly string[]> {
  const all: Readonly<Record<string, string | undefined>> = {
    'package.json': JSON.stringify({ ...manifest, ...changes }),
    LICENSE: 'MIT License',
    'index.js': 'export const one = 1;\n',
    'index.d.ts': 'export declare const one: number;\n',
    ...files,
  };
  const there = Object.entries(all).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, new TextEncoder().encode(text)] as const],
  );
  return inspect(new Map(there));
}

describe('the check of a package', () => {
  it('finds nothing wrong with a right one, which cannot be required', async () => {
    expect(await foundIn({})).toEqual([]);
  });

  it('sees types that are elsewhere', async () => {
    const exports = { '.': { types: './dist/index.d.ts', default: './index.js' } };
    const found = await foundIn({ exports }, { 'index.d.ts': undefined });
    expect(found).toContainEqual(expect.stringMatching(/^publint: .*types.*does not exist/));
    expect(found).toContainEqual(expect.stringMatching(/^are-the-types-wrong: the package has no/));
  });

  it('sees a door without types beside one with them', async () => {
    const door = { types: './more.d.ts', default: './more.js' };
    const files = { 'more.js': 'export const more = 1;\n' };
    const found = await foundIn({ exports: { ...manifest.exports, './more': door } }, files);
    expect(found).toContainEqual('are-the-types-wrong: UntypedResolution at ./more (bundler)');
  });

  it('sees a file that is missing', async () => {
    const found = await foundIn({}, { 'index.js': undefined });
    expect(found).toContainEqual(expect.stringMatching(/^publint: .*index\.js.*does not exist/));
  });

  it('sees declarations that lead to none', async () => {
    const found = await foundIn({}, { 'index.d.ts': "export * from './gone.js';\n" });
    expect(found).toContainEqual(
      expect.stringMatching(
        /^are-the-types-wrong: InternalResolutionError .*imports \.\/gone\.js$/,
      ),
    );
  });

  it('sees CommonJS behind the types of a module', async () => {
    const exports = { '.': { types: './index.d.ts', default: './index.cjs' } };
    const found = await foundIn({ exports }, { 'index.cjs': 'exports.one = 1;\n' });
    expect(found).toContainEqual(expect.stringMatching(/^are-the-types-wrong: FalseESM at \./));
  });

  it('takes a suggestion for a finding', async () => {
    const types = './index.d.ts';
    const found = await foundIn({ exports: { '.': { default: './index.js', types } } });
    expect(found).toContainEqual(expect.stringMatching(/^publint: .*should be the first/));
  });
});

it.runIf(isBuilt)('finds nothing wrong with this package', async () => {
  const { files } = ownPackage();
  expect([...files.keys()]).toContain('dist/types/agent/index.d.ts');
  expect(await inspect(files)).toEqual([]);
});

it('packs nothing that a run of the examples leaves behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-auth-test-'));
  try {
    const { name, version, files } = MANIFEST;
    const left = [
      'docs/examples/python/__pycache__/agent.pyc',
      'docs/examples/python/.pytest_cache/README.md',
    ];
    for (const path of ['package.json', 'docs/examples/python/agent.py', ...left]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), JSON.stringify({ name, version, files }));
    }
    expect([...packed(folder).files.keys()].sort()).toEqual([
      'docs/examples/python/agent.py',
      'package.json',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.runIf(isBuilt)('is small: 1.5 MB to fetch, 450 files', () => {
  const { size, files } = ownPackage();
  expect(size).toBeLessThanOrEqual(1_500_000);
  expect(files.size).toBeLessThanOrEqual(450);
});

it('runs nothing where it is installed', () => {
  const { scripts } = JSON.parse(
    Buffer.from(ownPackage().files.get('package.json') ?? []).toString(),
  );
  const run = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
  ];
  expect(run.filter((name) => name in scripts)).toEqual([]);
});

it('packs what its pages link to', () => {
  const { files } = ownPackage();
  const folders = new Set([...files.keys()].flatMap((path) => foldersOf(path)));
  const pages = [...files].filter(([path]) => /^(README|(?:dist\/)?docs\/.*)\.md$/.test(path));
  const links = pages.flatMap(([path, data]) =>
    [
      ...Buffer.from(data)
        .toString()
        // Pictures are in the repository, which the page of the package leads them to.
        .matchAll(/\]\((?![a-z]+:|#|(?:docs\/)?pictures\/)([^)\s#]+)/g),
    ].map(([, link = '']) => [path, posix.join(posix.dirname(path), link)] as const),
  );
  expect(links.length).toBeGreaterThan(300);
  const isPacked = (path: string) => files.has(path) || folders.has(path.replace(/\/$/, ''));
  expect(links.filter(([, target]) => !isPacked(target))).toEqual([]);
});

/** `a/b/c.md`: `a`, `a/b`. */
function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}
