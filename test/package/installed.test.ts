import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIST, isBuilt, NOT_BUILT } from '../cli/built/support.ts';
import { importsOf, MANIFEST, ROOT } from './project.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

/** In one file of the build, and installed all the same: the program is built on it, and `npm ls` names it. */
const SHOWN = ['commander'];

/** The packages that the build imports: what others wrote and it holds, which imports for other platforms, is not asked. */
function imported(): ReadonlySet<string> {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && !/^(?:packages|live)\//.test(name),
  );
  const names = files
    .flatMap((name) => importsOf(readFileSync(join(DIST, name), 'utf8')))
    .filter((specifier) => !/^(?:\.|node:)/.test(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  return new Set(names);
}

describe.runIf(isBuilt)('the build', () => {
  const { dependencies, peerDependencies } = MANIFEST;

  it('imports no package that an installed copy may not have', () => {
    const declared = { ...dependencies, ...peerDependencies };
    expect([...imported()].filter((name) => !Object.hasOwn(declared, name))).toEqual([]);
  });

  it('imports each dependency: what it holds itself is none', () => {
    const used = imported();
    const idle = Object.keys(dependencies).filter((name) => !used.has(name));
    expect(idle).toEqual(SHOWN);
  });

  it('holds of zod all that is used of it', async () => {
    const server = 'node_modules/@modelcontextprotocol/server/dist';
    const all = ['src', server].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|mjs)$/.test(name))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    );
    const importing = all.filter((text) => /\* as z from ["']zod(?:\/v4)?["']/.test(text));
    expect(importing.length).toBeGreaterThan(20);
    // Types begin with a capital, all but two of them.
    const used = importing.flatMap((text) => [...text.matchAll(/\bz\.([a-z]\w*)/g)]);
    const names = new Set(
      used.map(([, name = '']) => name).filter((name) => !/^in(fer|put)$/.test(name)),
    );
    const held = Object.keys(await import(join(DIST, 'packages/zod.js')));
    expect([...names].filter((name) => !held.includes(name))).toEqual([]);
  });
});
