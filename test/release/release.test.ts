import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { advisoriesOf } from '../../scripts/release/advisories.js';
import { problemsOf } from '../../scripts/release/sections.js';
import { shippedPaths } from '../../scripts/release/shipped.js';
import { DIST, isBuilt } from '../cli/built/support.ts';
import { LIMITED } from '../support/limited.ts';

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly on: { readonly push: { readonly tags?: readonly string[] } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const text = read('.github/workflows/release.yml');
const workflow = parse(text) as Workflow;
const jobs = Object.entries(workflow.jobs);
const lines = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
const manifest = JSON.parse(read('package.json'));

const node = (...words: readonly string[]) =>
  spawnSync(process.execPath, words, { ...LIMITED, cwd: root, encoding: 'utf8' });

describe('the release workflow', () => {
  it('runs for the tag of a version alone', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
  });

  it('gives each job what it needs: one publishes, another writes the release, none does both', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions]))).toEqual({
      verify: undefined,
      publish: { contents: 'read', 'id-token': 'write' },
      announce: { contents: 'write' },
    });
  });

  it('publishes after all was tried, and announces what was published', () => {
    expect(jobs.map(([name, { needs }]) => [name, needs])).toEqual([
      ['verify', undefined],
      ['publish', 'verify'],
      ['announce', 'publish'],
    ]);
  });

  it('uses the actions of CI, each by its commit', () => {
    const used = (from: string) => [...from.matchAll(/\buses: *(\S+@[0-9a-f]{40}) /g)];
    const known = used(read('.github/workflows/ci.yml')).map(([, action]) => action);
    const steps = jobs.flatMap(([, job]) => job.steps.flatMap(({ uses }) => uses ?? []));
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((action) => !known.includes(action))).toEqual([]);
  });

  it('takes no secret, and puts no expression into a script', () => {
    expect(text).not.toContain('secrets.');
    expect(lines.filter((line) => line.includes('${{'))).toEqual([]);
  });

  it('runs scripts that are there', () => {
    const files = lines.flatMap((line) => [...line.matchAll(/\bnode (\S+\.js)/g)]);
    expect(files.length).toBeGreaterThan(3);
    for (const [, file = ''] of files)
      expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    const named = lines.flatMap((line) => [...line.matchAll(/\bnpm run (\S+)/g)]);
    for (const [, name = ''] of named) expect(Object.keys(manifest.scripts)).toContain(name);
  });
});

describe('a tag', () => {
  const check = (tag: string, ...more: readonly string[]) =>
    node('scripts/release/check.js', tag, ...more);

  it('that is another version, in another repository, is refused by name', () => {
    const { status, stderr } = check('v99.0.0', '--repository', 'somebody/fork');
    expect(status).toBe(1);
    expect(stderr).toContain(`The tag is v99.0.0, package.json has ${manifest.version}.`);
    expect(stderr).toContain('this is somebody/fork: set repository');
  });

  it('is judged by the changelog alone where the rest is right', () => {
    const problems = problemsOf(read('CHANGELOG.md'), manifest.version);
    const { status, stderr } = check(`v${manifest.version}`);
    expect(stderr).toBe(problems.map((problem) => `${problem}\n`).join(''));
    expect(status).toBe(problems.length > 0 ? 1 : 0);
  });

  it('without notes has none to show', () => {
    expect(node('scripts/release/notes.js', '99.0.0')).toMatchObject({
      status: 1,
      stderr: 'CHANGELOG.md has no section of 99.0.0.\n',
    });
  });
});

describe('the audit of a release', () => {
  const advisory = (severity: string) => ({ title: 'Bad', url: 'https://example.com/1', severity });
  const report = {
    vulnerabilities: {
      hono: { name: 'hono', nodes: ['node_modules/hono'], via: [advisory('high')] },
      zod: { name: 'zod', nodes: ['node_modules/zod'], via: ['hono', advisory('moderate')] },
      vitest: { name: 'vitest', nodes: ['node_modules/vitest'], via: [advisory('critical')] },
      nested: {
        name: 'nested',
        nodes: ['node_modules/a/node_modules/nested'],
        via: [advisory('low')],
      },
    },
  };
  const shipped = new Set(['node_modules/hono', 'node_modules/zod', 'node_modules/nested']);

  it('stops at what is severe, tells the rest, and leaves tools out', () => {
    expect(advisoriesOf(report, shipped)).toEqual([
      { line: 'hono: high: Bad https://example.com/1', stops: true },
      { line: 'zod: moderate: Bad https://example.com/1', stops: false },
    ]);
  });

  it('fails where npm could not ask', () => {
    expect(() => advisoriesOf({ message: '405' }, shipped)).toThrow('npm audit: 405');
  });

  it.runIf(isBuilt)('asks for what the build holds, too', () => {
    const paths = [
      'node_modules/hono',
      'node_modules/zod',
      'node_modules/preact',
      'node_modules/jose',
    ];
    expect([...shippedPaths()]).toEqual(expect.arrayContaining(paths));
    expect([...shippedPaths()]).not.toContain('node_modules/vitest');
  });
});

it.runIf(isBuilt)('names as components what is installed and what the build holds', () => {
  expect(existsSync(DIST)).toBe(true);
  const { status, stdout, stderr } = node('scripts/release/sbom.js');
  expect([status, stderr.replace(/^npm warn .*\n/gm, '')]).toEqual([0, '']);
  const { metadata, components, dependencies } = JSON.parse(stdout) as {
    readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
    readonly components: readonly { readonly name: string; readonly 'bom-ref': string }[];
    readonly dependencies: readonly {
      readonly ref: string;
      readonly dependsOn: readonly string[];
    }[];
  };
  expect(metadata.component).toMatchObject({ name: 'agent-auth', version: manifest.version });
  const names = components.map(({ name }) => name);
  // Installed, a tool's as well, of another system; held, and brought by what is held.
  expect(names).toEqual(
    expect.arrayContaining([
      ...Object.keys(manifest.dependencies),
      '@libsql/darwin-arm64',
      'hono',
      'preact',
      'css-select',
    ]),
  );
  expect(names.filter((name) => ['vitest', 'typescript', 'rolldown'].includes(name))).toEqual([]);
  const refs = new Set(dependencies.map(({ ref }) => ref));
  expect(components.filter((each) => !refs.has(each['bom-ref']))).toEqual([]);
  expect(
    dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref)),
  ).toEqual([]);
});
