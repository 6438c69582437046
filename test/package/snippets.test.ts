import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { compilesAlone, readSnippets, runsAlone } from './pages/snippets.ts';
import { type Ended, MANIFEST, Project, ROOT } from './project.ts';

/** Of the peers and of Node: their declarations are not ours to vouch for. */
const FOREIGN = /from '(msw|vitest|agent-auth\/msw|agent-auth\/vitest|agent-auth\/conformance)/;
const DOORS = Object.entries(MANIFEST.exports)
  // The one of Vitest needs it: test-kits.test.ts installs it. A text is data.
  .filter(([door, entry]) => typeof entry !== 'string' && door !== './vitest')
  .map(([door]) => door.replace(/^\./, 'agent-auth'));
const DATA = [
  'requirements',
  ...['dist/docs/schemas', 'dist/docs/transcripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) =>
      join(basename(folder), name.replace('.json', '')),
    ),
  ),
].map((name) => `agent-auth/${name}.json`);
const SNIPPETS = readSnippets().filter(compilesAlone);

/** What a user of each door could not write without a cast, once. */
const FETCH = `
import { Agent } from 'agent-auth';
import { Agent as PlainAgent, createMemoryStore } from 'agent-auth/agent';
import { createMockProvider } from 'agent-auth/mock-provider';
import { createMockService } from 'agent-auth/mock-service';
import { silentLog, systemClock, systemRandom, systemSleep } from 'agent-auth/runtime';

const given: typeof fetch = fetch;
const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep, log: silentLog };
new Agent();
new Agent({ fetch: given, store: createMemoryStore() });
new PlainAgent({ ...ports, fetch: given, store: createMemoryStore() });
await (await createMockService({ fetch: given })).close();
await (await createMockProvider({ fetch: given })).close();
`;

/** A test of the doors that no page shows a whole program of. */
const KITS = `
import assert from 'node:assert/strict';
import { Agent, createMemoryStore } from 'agent-auth/agent';
import { readRequirements } from 'agent-auth/conformance';
import { createMockProvider } from 'agent-auth/mock-provider';
import { createMockService } from 'agent-auth/mock-service';
import { AUTHORIZATION_SERVER_PATH } from 'agent-auth/protocol';
import { silentLog, systemClock, systemRandom, systemSleep } from 'agent-auth/runtime';

const service = await createMockService();
const provider = await createMockProvider();
const fetch = async (input, init) => {
  const request = new Request(input, init);
  return (request.url.startsWith(provider.issuer) ? provider : service).fetch(request);
};
const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep, log: silentLog };
const agent = new Agent({ ...ports, fetch, store: createMemoryStore() });
await agent.register({ service: service.issuer, type: 'anonymous' });
assert.equal((await agent.call('/api/resource')).response.status, 200);
assert.equal((await fetch(provider.issuer + AUTHORIZATION_SERVER_PATH)).status, 200);
assert.ok(readRequirements().length > 300);
console.log('kits hold');
`;

/** Both mocks at the URLs of the program, with no socket: what the snippets talk to. */
const MOCKS = `
import { createMockProvider } from 'agent-auth/mock-provider';
import { createMockService } from 'agent-auth/mock-service';
import { mswHandlers } from 'agent-auth/msw';
import { setupServer } from 'msw/node';

const service = await createMockService({ baseUrl: 'http://127.0.0.1:4800' });
const provider = await createMockProvider({ baseUrl: 'http://127.0.0.1:4801' });
setupServer(...mswHandlers(service, provider)).listen({ onUnhandledRequest: 'error' });
`;

let project: Project;

beforeAll(async () => {
  project = await Project.create();
  project.write('with-mocks.js', MOCKS);
  project.write('own/fetch.ts', FETCH);
  for (const { name, text } of SNIPPETS) {
    project.write(`${FOREIGN.test(text) ? 'foreign' : 'own'}/${name}.ts`, text);
  }
  for (const door of DOORS) {
    const line = `import * as door from '${door}';\nexport const names = Object.keys(door);\n`;
    const folder = FOREIGN.test(line) ? 'foreign' : 'own';
    project.write(`${folder}/door-${door.replaceAll('/', '-')}.ts`, line);
  }
  for (const kind of ['nodenext', 'bundler']) {
    const module = kind === 'bundler' ? 'preserve' : 'nodenext';
    const compilerOptions = {
      ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: [], strict: true },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ module, moduleResolution: kind, skipLibCheck: false },
    };
    for (const [folder, more] of [
      ['own', {}],
      ['foreign', { skipLibCheck: true }],
    ] as const) {
      project.write(
        `tsconfig.${folder}.${kind}.json`,
        JSON.stringify({
          compilerOptions: { ...compilerOptions, ...more, rootDir: folder, outDir: 'out' },
          include: [folder],
        }),
      );
    }
  }
}, 300_000);

afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

it('has snippets to try', () => {
  const pages = SNIPPETS.map(({ name }) => name.replace(/-\d+$/, ''));
  expect(pages).toEqual(expect.arrayContaining(['controls', 'library', 'mocks', 'own-faults']));
  expect(pages).toContain('example-another-service');
});

/** What is run. */
const OUT = 'out/@typescript/native-nodenext';

/** What a compiler says of both folders. */
async function compile(compiler: string, kind: string): Promise<readonly Ended[]> {
  const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
  const ended: Ended[] = [];
  for (const folder of ['own', 'foreign']) {
    const words = ['-p', `tsconfig.${folder}.${kind}.json`, '--outDir', `out/${compiler}-${kind}`];
    ended.push(await project.node(tsc, ...words));
  }
  return ended;
}

describe('in an empty project', () => {
  // How an import is found is not the compiler's age: one of them tries both ways.
  it.each([
    ['typescript-5.9', 'nodenext'],
    ['@typescript/native', 'nodenext'],
    ['@typescript/native', 'bundler'],
  ])(
    'snippets, examples, doors and the plain fetch compile with %s as %s, the declarations too',
    async (compiler, kind) => {
      const right = { code: 0, output: '' };
      expect(await compile(compiler, kind)).toEqual([right, right]);
    },
  );
});

it('has data that is imported by name: schemas, transcripts, requirements', async () => {
  expect(DATA.length).toBeGreaterThan(100);
  project.write(
    'data.js',
    `const names = ${JSON.stringify(DATA)};
for (const name of names) {
  const { default: data } = await import(name, { with: { type: 'json' } });
  if (typeof data !== 'object' || Object.keys(data).length === 0) throw new Error(name);
}
console.log(names.length);
`,
  );
  const { code, output } = await project.node('--disable-warning=ExperimentalWarning', 'data.js');
  expect({ code, output }).toEqual({ code: 0, output: `${DATA.length}\n` });
});

it('has kits that run', async () => {
  project.write('kits.js', KITS);
  expect(await project.node('kits.js')).toEqual({ code: 0, output: 'kits hold\n' });
});

describe('what the documentation shows runs', () => {
  beforeAll(async () => {
    // Unless that was tried above.
    if (!existsSync(join(project.folder, OUT))) await compile('@typescript/native', 'nodenext');
  }, 300_000);

  it.each(SNIPPETS.filter(runsAlone).map(({ name, text }) => [name, text]))(
    '%s',
    async (name, text) => {
      const { code, output } = await project.node(
        '--import',
        './with-mocks.js',
        `${OUT}/${name}.js`,
      );
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
      if (text.includes('console.log')) expect(output).not.toBe('');
    },
  );
});

/** What the first screen of the README says to type in an empty project. */
const TYPED = readFileSync(join(ROOT, 'README.md'), 'utf8')
  .replace(/\n## [\s\S]*/, '')
  .split('\n')
  .flatMap((line) => /^npx agent-auth ([^#]*)/.exec(line)?.[1]?.trim() ?? []);

describe('the first screen of the README, typed in that project', () => {
  it('starts both mocks, connects, gets more access from its user, calls, tells, forgets', async () => {
    const [up = '', ...lines] = TYPED;
    expect(up).toBe('mock up');
    const env = {
      PATH: process.env['PATH'],
      AGENT_AUTH_HOME: join(project.folder, 'first'),
      XDG_RUNTIME_DIR: project.folder,
    };
    const start = (line: string) => {
      const bin = join(project.folder, 'node_modules/.bin/agent-auth');
      const child = spawn(bin, line.split(' '), { cwd: project.folder, env });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          output += String(data);
        });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      return { child, ended, said: () => output };
    };
    const mocks = start(`${up} --port 0`);
    try {
      await until(() => /Press Ctrl-C/.test(mocks.said()));
      for (const line of lines) {
        const typed = start(line);
        // Its user signs in, types the code and approves.
        if (line.includes('--email')) {
          await until(() => /^Waiting for /m.test(typed.said()));
          expect(await start('mock complete').ended).toBe(0);
        }
        expect([line, await typed.ended, typed.said()]).toEqual([line, 0, expect.any(String)]);
      }
    } finally {
      mocks.child.kill('SIGTERM');
      await mocks.ended;
    }
  });
});
