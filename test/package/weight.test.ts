import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_PACKAGES } from '../../scripts/build/built-in.js';
import { broughtBy, installedIn, needsOf } from '../../scripts/package/installed.js';
import { BUILT, INSTALLED, OPTIONAL } from '../../scripts/package/reasons.js';
import { readTotals } from '../../scripts/package/weight-page.js';
import { MANIFEST, ROOT } from './project.ts';

interface Locked {
  readonly version?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

describe('docs/package.md', () => {
  const page = readFileSync(join(ROOT, 'docs/package.md'), 'utf8');
  const sections = new Map(
    page.split(/^## /m).map((section) => {
      const rows = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
      return [section.split('\n')[0], rows.sort()];
    }),
  );

  it('gives each package that is installed a reason, and lists none that is gone', () => {
    const names = Object.keys(MANIFEST.dependencies).sort();
    expect(Object.keys(INSTALLED).sort()).toEqual(names);
    expect(sections.get('What is installed')).toEqual(names);
  });

  it('gives each package that the build holds a reason', () => {
    const names = [...BUILT_IN_PACKAGES, 'preact', 'undici'].sort();
    expect(Object.keys(BUILT).sort()).toEqual(names);
    expect(sections.get('What the build holds')).toEqual(names);
  });

  it('says of each optional peer what it is for', () => {
    const names = Object.keys(MANIFEST.peerDependencies).sort();
    expect(Object.keys(OPTIONAL).sort()).toEqual(names);
    expect(sections.get('What is used where you have it')).toEqual(names);
  });

  it('counts the packages that the lock file says, but for a tenth', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, Locked>>;
    };
    const brought = Object.keys(MANIFEST.dependencies).flatMap((name) => [
      ...broughtBy(`node_modules/${name}`, (path) => needsOf(packages, path)),
    ]);
    const here = [...new Set(brought)].filter((path) => {
      const { os = ['linux'], cpu = ['x64'] } = packages[path] ?? {};
      return os.includes('linux') && cpu.includes('x64');
    });
    // And this package itself.
    const [said, locked] = [readTotals(page).packages, here.length + 1];
    expect(Math.abs(said - locked)).toBeLessThanOrEqual(locked / 10);
  });
});

describe('what is installed', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  it('counts each package by itself, and finds what it needs as Node does', () => {
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0', dependencies: { b: '2', gone: '1' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1' } },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/@d/c': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0', dependencies: { '@d/c': '1' } },
    };
    write('package-lock.json', JSON.stringify({ packages }));
    for (const path of Object.keys(packages).slice(1)) write(`${path}/lib/index.js`, '12345');
    const all = installedIn(folder);
    expect(all.map(({ name, version, bytes }) => `${name} ${version} ${bytes}`)).toEqual([
      'a 1.0.0 5',
      'b 2.0.0 5',
      'b 1.0.0 5',
      '@d/c 1.0.0 5',
      'c 1.0.0 5',
    ]);
    const needs = new Map(all.map((one) => [one.path, one.needs]));
    expect([...broughtBy('node_modules/a', (path) => needs.get(path) ?? [])]).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
      'node_modules/@d/c',
    ]);
  });
});
