import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIST, isBuilt, NOT_BUILT } from '../cli/built/support.ts';
import { MANIFEST } from './project.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

/** In one file of the build, and installed all the same: the program is built on it, and `npm ls` names it. */
const SHOWN = ['commander'];

/** The packages that the build imports: what others wrote and it holds, which imports for other platforms, is not asked. */
function imported(): ReadonlySet<string> {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && !/^(?:packages|live)\//.test(name),
  );
  const specifiers = files.flatMap((name) => [
    ...readFileSync(join(DIST, name), 'utf8').matchAll(
      /^(?:import|export)\b[^'"\n]*["']([^."'\n][^"'\n]*)["'];?$|\bimport\(["']([^."'\n][^"'\n]*)["']\)/gm,
    ),
  ]);
  const names = specifiers
    .map(([, at, later]) => at ?? later ?? '')
    .filter((specifier) => !specifier.startsWith('node:'))
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
});
