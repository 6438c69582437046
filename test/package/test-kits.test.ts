import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from './pages/read-page.ts';
import { MANIFEST, Project, ROOT } from './project.ts';

const VERSIONS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).devDependencies;
const BLOCKS = ['README.md', 'docs/test-kits.md'].flatMap((page) => readPage(page).blocks);
/** The agent that the tests of the page import. */
const OWN_AGENT = readFileSync(join(ROOT, 'docs/examples/own-agent.ts'), 'utf8');
/** The tests that the documentation shows, by where they stand. */
const SNIPPETS = BLOCKS.filter(
  ({ kind, text }) => kind === 'ts' && /from '(agent-auth\/vitest|node:test)'/.test(text),
).map(({ place, text }) => ({
  name: place.replace(/^docs\//, '').replace('.md:', '-'),
  text,
  isOfNode: /from 'node:test'/.test(text),
}));
const OF_VITEST = SNIPPETS.filter(({ isOfNode }) => !isOfNode);
const OF_NODE = SNIPPETS.filter(({ isOfNode }) => isOfNode);

/** What a test of a service imports: a right service on Express. */
const APP_TYPES = `
export interface AppOptions {
  readonly url: string;
  readonly trusted: readonly { readonly issuer: string; readonly jwksUri: string }[];
  readonly now: () => number;
}
export function createApp(options: AppOptions): Promise<(request: never, response: never, next: never) => void>;
`;

/** The parts that docstrings show, each with what stands around it. */
const PARTS = ['msw.ts', 'testing.ts', 'world/create-test-world.ts']
  .flatMap((file) => docstringParts(readFileSync(join(ROOT, 'src/testing', file), 'utf8')))
  .map((text, at) => ({
    name: `docstring-${at + 1}`,
    text: `
import assert from 'node:assert/strict';
import { createTestWorld, judge, startTestWorld } from 'agent-auth/testing';
import type { JudgeSetting, TestWorld } from 'agent-auth/testing';
import { mswHandlers } from 'agent-auth/msw';
import { setupServer } from 'msw/node';
declare const world: TestWorld;
declare function createApp(given: Partial<JudgeSetting>): { fetch(request: Request): Promise<Response> };
export async function example() {
${text}}
export const around = { assert, createTestWorld, judge, startTestWorld, mswHandlers, setupServer, world, createApp };
`,
  }));

/** The TypeScript that the comments of a module show. */
function docstringParts(source: string): readonly string[] {
  return [...source.matchAll(/^ *\* ```ts\n([\s\S]*?)^ *\* ```$/gm)].map(([, part = '']) =>
    part.replaceAll(/^ *\* ?/gm, ''),
  );
}

let project: Project;

beforeAll(async () => {
  const packages = ['vitest', 'express', '@types/node'];
  project = await Project.create(...packages.map((name) => `${name}@${VERSIONS[name]}`));
  await build({
    input: join(ROOT, 'test/conformance/services/express-defaults.ts'),
    external: /^(express|jose)$/,
    platform: 'node',
    output: { file: join(project.folder, 'out/app.js') },
    logLevel: 'silent',
  });
  for (const folder of ['vitest', 'node']) project.write(`${folder}/app.d.ts`, APP_TYPES);
  const door = `import * as door from 'agent-auth/vitest';\nexport const names = Object.keys(door);\n`;
  project.write('vitest/door.ts', door);
  project.write('vitest/own-agent.ts', OWN_AGENT);
  for (const { isOfNode, name, text } of SNIPPETS) {
    project.write(isOfNode ? `node/${name}.ts` : `vitest/${name}.test.ts`, text);
  }
  for (const { name, text } of PARTS) project.write(`node/${name}.ts`, text);
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], strict: true },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ module: 'nodenext', moduleResolution: 'nodenext', types: [], rootDir: '.' },
    // Vitest's own are not ours to vouch for; snippets.test.ts checks ours.
    skipLibCheck: true,
  };
  for (const [folder, types] of [
    ['vitest', []],
    ['node', ['node']],
  ] as const) {
    const options = { ...compilerOptions, types, rootDir: folder, outDir: 'out' };
    project.write(
      `tsconfig.${folder}.json`,
      JSON.stringify({ compilerOptions: options, include: [folder] }),
    );
  }
}, 300_000);

afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

it('begins the part "You build an agent" of the README with a test of ten lines, which is run', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, text = ''] = readme.split('\n## You build an agent\n');
  const [, kind, first = ''] = /^```(\w*)\n([\s\S]*?)^```$/m.exec(text) ?? [];
  expect(kind).toBe('ts');
  expect(first.trim().split('\n').length).toBeLessThanOrEqual(10);
  expect(OF_VITEST.map((each) => each.text.trim())).toContain(first.trim());
});

it('runs every test that the page shows', () => {
  const shown = readPage('docs/test-kits.md').blocks.filter(({ kind }) => kind === 'ts');
  const taken = SNIPPETS.filter(({ name }) => name.startsWith('test-kits-'));
  // pages.test.ts leaves them all to this file.
  expect(taken).toHaveLength(shown.length);
  expect(PARTS.length).toBeGreaterThan(0);
  const pages = new Set(SNIPPETS.map(({ name }) => name.replace(/-\d+$/, '')));
  expect(pages).toContain('test-kits');
  expect(OF_NODE.length).toBeGreaterThan(0);
  expect(MANIFEST.exports).toHaveProperty(['./vitest']);
});

it.each(['typescript-5.9', '@typescript/native'])('compiles with %s', async (compiler) => {
  const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
  for (const folder of ['vitest', 'node']) {
    const made = await project.node(tsc, '-p', `tsconfig.${folder}.json`);
    expect(made).toEqual({ code: 0, output: '' });
  }
});

it('keeps the matchers in a bundle of tests, which imports them for their effect', async () => {
  project.write('vitest/effect.js', "import 'agent-auth/vitest';\n");
  const { output } = await build({
    input: join(project.folder, 'vitest/effect.js'),
    external: ['vitest', 'pg', 'libsql', /^node:/],
    platform: 'node',
    write: false,
    logLevel: 'silent',
  });
  const [{ code }] = output;
  expect(code.includes('toConform(')).toBe(true);
});

describe('the tests of Vitest', () => {
  it('pass in a project of somebody else', async () => {
    const vitest = join(project.folder, 'node_modules/vitest/vitest.mjs');
    const { code, output } = await project.node(vitest, 'run', '--reporter=json', '--dir', 'out');
    expect(output).toContain('{"numTotal');
    const report = JSON.parse(output.slice(output.indexOf('{"numTotal'))) as {
      readonly numPassedTests: number;
      readonly testResults: readonly {
        readonly name: string;
        readonly status: string;
        readonly message: string;
      }[];
    };
    const failed = report.testResults.filter(({ status }) => status !== 'passed');
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    expect(report.testResults).toHaveLength(OF_VITEST.length);
    expect(report.numPassedTests).toBeGreaterThanOrEqual(OF_VITEST.length);
  });
});

describe('the tests of Node', () => {
  it.each(OF_NODE.map(({ name }) => name))('%s passes', async (name) => {
    const { code, output } = await project.node('--test', `out/${name}.js`);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(output).toMatch(/# pass [1-9]/);
  });
});
