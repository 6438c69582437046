import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

/** The files that a line loads, as V8 counted them, from the root of the package; what runs on is ended once it is `ready`. */
async function loadedBy(line: string, ready?: RegExp): Promise<readonly string[]> {
  const coverage = mkdtempSync(join(home.folder, 'coverage-'));
  const program = home.start(line, { NODE_V8_COVERAGE: coverage });
  program.child.stdin.end();
  if (ready !== undefined) {
    await program.until(ready);
    program.child.kill('SIGTERM');
  }
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

  it('of conformance list loads no database and no server', async () => {
    const packages = packagesOf(await loadedBy('conformance list'));
    expect(packages).toContain('commander');
    for (const name of ['libsql', 'hono', '@hono/node-server', 'undici', 'msw']) {
      expect(packages).not.toContain(name);
    }
  });

  it('of status with nothing stored reads one file without undici and all of zod, which the schemas of the wire take', async () => {
    const files = await loadedBy('status');
    expect(packagesOf(files)).toEqual(['commander', 'zod-mini']);
    expect(files.length).toBeLessThanOrEqual(15);
  });

  it('of status and of a token that lasts reads that file alone, and of call undici beside it', async () => {
    const mock = home.start('mock service --port 0 --json');
    await mock.until(/"ready"/);
    expect((await home.run('register')).code).toBe(0);
    for (const line of ['status', 'token']) {
      const loaded = await loadedBy(line);
      expect([line, packagesOf(loaded)]).toEqual([line, ['commander', 'zod-mini']]);
      expect(loaded.length).toBeLessThanOrEqual(15);
    }
    expect(packagesOf(await loadedBy('status --check'))).toContain('undici');
    const files = await loadedBy('call /api/resource');
    expect(packagesOf(files)).toEqual(['commander', 'undici', 'zod-mini']);
    expect(files.length).toBeLessThanOrEqual(20);
    mock.child.kill('SIGTERM');
    await mock.ended;
  });

  it.each([
    ['doctor', ['commander', 'zod', 'zod-mini']],
    ['lint docs/examples/imitated-service.yaml', ['commander', 'yaml']],
    ['connect http://127.0.0.1:9', ['commander', 'undici', 'zod', 'zod-mini']],
  ])('of %s loads no package of a mock, of the suite or of a terminal', async (line, packages) => {
    const locks = ['graceful-fs', 'proper-lockfile', 'retry', 'signal-exit'];
    const loaded = packagesOf(await loadedBy(line)).filter((name) => !locks.includes(name));
    expect(loaded.sort()).toEqual(packages);
  });

  it('of a mock loads nothing for https, OpenAPI, XML, HTML, YAML, PostgreSQL, questions or the suite', async () => {
    const loaded = await loadedBy('mock up --port 0 --json', /"ready"/);
    const heavy =
      /selfsigned|xmlbuilder|node-html-parser|tough-cookie|saxes|yaml|undici|pg|inquirer|ora|open/;
    const names = packagesOf(loaded);
    expect(names).toContain('libsql');
    expect(names.filter((name) => new RegExp(`^(?:${heavy.source})$`).test(name))).toEqual([]);
  });

  it('of a mock with its data in PostgreSQL loads no SQLite', async () => {
    const names = packagesOf(await loadedBy('mock up --port 0 --db postgres://u@127.0.0.1:9/u'));
    expect(names).toContain('hono');
    expect(names.filter((name) => /libsql/.test(name))).toEqual([]);
  });
});
