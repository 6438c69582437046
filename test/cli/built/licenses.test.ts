import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIST, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

/** What others wrote and a file of the build holds: its first lines say where each package was. */
function bundledIn(text: string): readonly string[] {
  const packages = text.matchAll(/^\/\/.*\bnode_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/$/gm);
  return [...packages].map(([, name = '']) => name);
}

describe.runIf(isBuilt)('LICENSES.txt', () => {
  it('has the notice of each package that is in the build, of what it brings, and of what lies within', () => {
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.c?js$/.test(name),
    );
    const names = new Set(
      files.flatMap((name) => bundledIn(readFileSync(join(DIST, name), 'utf8'))),
    );
    const notices = readFileSync(join(DIST, 'packages/LICENSES.txt'), 'utf8').split(
      `\n${'='.repeat(72)}\n`,
    );
    const named = notices.map((notice) => notice.trim().split('\n')[0]);
    expect([...names].filter((name) => !named.includes(name))).toEqual([]);
    // A package that is a bundle itself does not say what is in it; llhttp lies in undici, compiled.
    expect(named).toEqual(expect.arrayContaining(['llhttp', 'css-select', 'preact']));
    expect(named).toEqual([...new Set(named)].sort());
    for (const notice of notices)
      expect(notice).toMatch(
        /copyright .*[A-Z][\s\S]*(?:permission|permitted)|terms of the Mozilla Public\s+License/i,
      );
  });
});
