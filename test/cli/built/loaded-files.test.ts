import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

/** The files that a line loads, as V8 counted them, from the root of the package. */
async function loadedBy(line: string): Promise<readonly string[]> {
  const coverage = join(home.folder, 'coverage');
  const program = home.start(line, { NODE_V8_COVERAGE: coverage });
  program.child.stdin.end();
  await program.ended;
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  const root = new URL('../../../', import.meta.url).href;
  return urls.map((url) => url.replace(root, '')).sort();
}

/** Packages that are one file of the build, or lie where they are installed. */
function packagesOf(files: readonly string[]): readonly string[] {
  const names = files.map(
    (file) =>
      /(?:node_modules|dist\/packages)\/((?:@[^/]+\/)?[^/]+?)(?:\.js)?(?:\/|$)/.exec(file)?.[1],
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

describe.runIf(isBuilt)('a start', () => {
  it('of --version loads the entry alone', async () => {
    expect(await loadedBy('--version')).toEqual(['bin/agent-auth.js', 'dist/cli/main.js']);
  });

  it.each(['--help', 'status --help', 'registr'])(
    'of %s loads commander and few files',
    async (line) => {
      const files = await loadedBy(line);
      expect(packagesOf(files)).toEqual(['commander']);
      expect(files.length).toBeLessThanOrEqual(10);
    },
  );
});
