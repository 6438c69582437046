import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type CommandEntry, readTree } from '../../../scripts/docs/commands/read-tree.js';
import { buildProgram } from '../../../src/cli/program.ts';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { RuntimeFiles } from '../../../src/cli/shell/runtime-files.ts';
import { createMockProvider } from '../../../src/mock-provider/index.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { testFolder } from '../../support/test-folder.ts';
import { inTheNextWait } from '../support/connected.ts';
import { ALICE, PROVIDER, SERVICE } from '../support/mocks.ts';
import { newMachine, type RunOptions, routeTo, runCli } from '../support/run-cli.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';
const ELSEWHERE = 'https://api.example.com';

/** What was typed before the examples of a command; the longest name counts. `{S}` is the service. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  '': ['register --type anonymous'],
  register: [],
  'register --provider': [`provider login ${PROVIDER}`],
  connect: [],
  'connect 127.0.0.1:4800 --provider': [`provider login ${PROVIDER}`],
  claim: ['register --type anonymous'],
  'claim --code': ['register --type anonymous', `claim --email ${ALICE} --no-wait`],
  'claim wait': ['register --type anonymous', `claim --email ${ALICE} --no-wait`],
  'call /api/resource -d': ['register --type anonymous', `claim --email ${ALICE}`],
  exec: ['register --type anonymous', `register ${ELSEWHERE} --type anonymous`],
  'provider login': [],
  'provider login wait': [`provider login ${PROVIDER} --no-wait`],
  provider: [`provider login ${PROVIDER}`],
  'provider revoke': [`provider login ${PROVIDER}`, `provider consent --audience ${SERVICE}`],
  'mock clients --remove': ['mock clients --add app:a-test-secret'],
  'mock complete': ['register --type anonymous', `claim --email ${ALICE} --no-wait`],
  'mock deny': ['register --type anonymous', `claim --email ${ALICE} --no-wait`],
};

/** Where the end is another than 0: a user has to act, or the example names what is not there. */
const ENDS: Readonly<Record<string, number>> = {
  'claim --code 123456': 2,
  'use reg_5Yw1': 2,
  'mock consent --approve': 2,
  'mock revoke reg_2pfk0c51': 1,
  'register https://api.example.com --email alice@example.com': 8,
  // This provider asks nobody.
  'provider consent --audience http://127.0.0.1:4800 --no-wait': 0,
};

/** What runs until it is stopped, waits for somebody, or judges for long: by its first words, with who runs it. */
const ELSEWHERE_RUN: Readonly<Record<string, string>> = {
  'mock up': 'test/cli/mock/servers/mock.test.ts',
  'mock service': 'test/cli/mock/servers/mock.test.ts',
  'mock provider': 'test/cli/mock/servers/mock.test.ts',
  'mock open': 'test/cli/mock/live/live.test.ts',
  'connect 127.0.0.1:4800/mcp': 'test/cli/stories/cross-app.test.ts',
  'provider login http://127.0.0.1:4801 --client-id': 'test/cli/stories/cross-app.test.ts',
  proxy: 'test/cli/stories/proxy.test.ts',
  mcp: 'test/mcp',
  conformance: 'test/cli/stories/conformance.test.ts',
  demo: 'test/cli/demo/demo.test.ts',
};

function everyCommand(command: CommandEntry): readonly CommandEntry[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

const TREE = buildProgram(async () => {}, { stdout: () => {}, stderr: () => {}, version: '0' });
const LINES = [
  ...new Set(
    everyCommand(readTree(TREE)).flatMap(({ examples }) =>
      examples.map((line) => line.replace(/^agent-auth /, '')),
    ),
  ),
];

/** The value of the longest key that a line begins with. */
function longest<T>(table: Readonly<Record<string, T>>, line: string): T | undefined {
  const names = Object.keys(table).filter(
    (name) => name === '' || `${line} `.startsWith(`${name} `),
  );
  const [best] = names.sort((a, b) => b.length - a.length);
  return best === undefined ? undefined : table[best];
}

/** As a shell splits it, as far as our examples go. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

let home: string;
beforeEach(() => {
  home = testFolder();
});

/** A machine on which `mock up` runs, and a service of somebody else elsewhere. */
async function reader() {
  const machine = newMachine();
  const ports = { clock: machine.clock, fetch: routeTo(machine.servers), log: silentLog };
  const control = { token: TOKEN };
  const service = await createMockService({
    ...ports,
    control,
    baseUrl: SERVICE,
    random: new SeededRandom(7),
    trust: [{ issuer: PROVIDER }],
  });
  // Made when they are first asked: few examples go there.
  let provider: ReturnType<typeof createMockProvider> | undefined;
  let elsewhere: ReturnType<typeof createMockService> | undefined;
  machine.servers
    .set(SERVICE, service.fetch)
    .set(PROVIDER, async (request) => {
      provider ??= createMockProvider({
        ...ports,
        control,
        baseUrl: PROVIDER,
        random: new SeededRandom(9),
        autoApprove: ALICE,
      });
      return (await provider).fetch(request);
    })
    .set(ELSEWHERE, async (request) => {
      elsewhere ??= createMockService({
        ...ports,
        baseUrl: ELSEWHERE,
        random: new SeededRandom(8),
        resources: [{ path: '/api/resource' }, { path: '/reports' }],
      });
      return (await elsewhere).fetch(request);
    });
  const env = { XDG_RUNTIME_DIR: home };
  const environment = readEnvironment(env, { platform: 'linux', inContainer: () => false });
  new RuntimeFiles(environment).write({
    pid: process.pid,
    started: 1,
    service: SERVICE,
    provider: PROVIDER,
    ca: null,
    control: { token: TOKEN, service: SERVICE, provider: PROVIDER },
  });
  const run = (line: string, options: RunOptions = {}) =>
    runCli(machine, words(line), {
      ...options,
      env,
      startChild: () => ({ ended: Promise.resolve({ status: 'exited', code: 0 }), send: () => {} }),
    });
  const complete = async () => {
    for (const mock of [service, await elsewhere]) {
      const all = (await mock?.controls.registrations()) ?? [];
      const open = all.find(({ state }) => state === 'pending');
      if (open !== undefined) await mock?.controls.complete(open.facts.id);
    }
  };
  return { machine, run, complete };
}

/** A static site, as the examples of `lint` have one, and where they may write. */
async function writeSite(): Promise<void> {
  const site = await createMockService({
    baseUrl: 'https://www.example.com',
    clock: newMachine().clock,
    random: new SeededRandom(6),
    fetch: routeTo(new Map()),
    log: silentLog,
  });
  mkdirSync(join(home, 'public/.well-known'), { recursive: true });
  for (const name of ['oauth-authorization-server', 'oauth-protected-resource']) {
    const url = `https://www.example.com/.well-known/${name}`;
    const answer = await site.fetch(new Request(url));
    writeFileSync(join(home, 'public/.well-known', name), await answer.text());
  }
}

it('every example of the help is run here, or by a test that is named', () => {
  const idle = Object.keys(ELSEWHERE_RUN).filter(
    (name) => !LINES.some((line) => `${line} `.startsWith(`${name} `)),
  );
  expect(idle).toEqual([]);
  const root = join(import.meta.dirname, '../../..');
  const gone = Object.values(ELSEWHERE_RUN).filter((path) => !existsSync(join(root, path)));
  expect(gone).toEqual([]);
  expect(LINES.length).toBeGreaterThan(90);
});

it.each(LINES.filter((line) => longest(ELSEWHERE_RUN, line) === undefined))(
  'does %s',
  async (line) => {
    const { machine, run, complete } = await reader();
    for (const before of longest(BEFORE, line) ?? []) {
      inTheNextWait(machine, complete);
      expect([before, (await run(before)).code]).toEqual([
        before,
        /--no-wait/.test(before) ? 8 : 0,
      ]);
    }
    inTheNextWait(machine, complete);
    const expected = ENDS[line] ?? (/--no-wait/.test(line) ? 8 : 0);
    if (line.startsWith('lint ./')) await writeSite();
    // What is named in the reader's folder lies here.
    const there = line.replace(/\.\/(?=public)|(?=\b(?:flow\.json|lint\.sarif))/g, `${home}/`);
    const [first = '', piped] = there.split(' | agent-auth ');
    const ran = await run(first);
    const last = piped === undefined ? ran : await run(piped, { stdin: ran.stdout });
    expect([last.code, last.code === expected ? '' : last.stderr]).toEqual([expected, '']);
  },
);
