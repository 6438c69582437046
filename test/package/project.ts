import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parseSync } from 'rolldown/utils';

export const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly repository: { readonly url: string };
}

export const MANIFEST: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** What a module names to import, at once or later. */
export function importsOf(code: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync('a.js', code).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map((each) => each.moduleRequest?.value)),
    ...dynamicImports.map(
      ({ moduleRequest: { start, end } }) => /^["'`](.*)["'`]$/.exec(code.slice(start, end))?.[1],
    ),
  ].filter((each) => each !== undefined);
}

/** What a command said, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** An empty ESM project of somebody else, with the packed package installed in it. */
export class Project {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Packs what was built, and installs it with the peer that its snippets need, and with `more`, such as `vitest@4`. */
  static async create(...more: readonly string[]): Promise<Project> {
    const project = new Project(mkdtempSync(join(tmpdir(), 'agent-auth-package-')));
    const { folder } = project;
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: ROOT });
    const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
    project.write('package.json', JSON.stringify({ name: 'somebody', type: 'module' }));
    const packages = [`./${packed?.filename}`, `msw@${MANIFEST.peerDependencies['msw']}`, ...more];
    // What `npm ci` fetched lies in the cache.
    const quick = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quick, ...packages], { cwd: folder });
    return project;
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs Node in the project; `AGENT_AUTH_HOME` is a folder of its own. */
  async node(...args: readonly string[]): Promise<Ended> {
    const env = { ...process.env, AGENT_AUTH_HOME: mkdtempSync(join(this.folder, 'home-')) };
    // For what hangs: on a busy machine, tests in a project of somebody else take minutes.
    const limits = { cwd: this.folder, env, timeout: 280_000 };
    return run(process.execPath, args, limits).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code: code ?? -1, output: `${stdout}${stderr}` }),
    );
  }
}
