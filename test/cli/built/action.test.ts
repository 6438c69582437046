import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMockService, serve } from '../../../src/mock-service/index.ts';
import { silentLog, systemClock, systemRandom } from '../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { LIMITED } from '../../support/limited.ts';
import { testFolder } from '../../support/test-folder.ts';
import { isBuilt, NOT_BUILT, PROGRAM } from './support.ts';

const ROOT = join(import.meta.dirname, '../../..');

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

const { inputs, runs } = parse(
  readFileSync(join(import.meta.dirname, '../../../action.yml'), 'utf8'),
) as Action;

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

function stub(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** A mock that trusts nobody but its own provider, and whose controls are not known here. */
function servedMock() {
  return serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async (origin) => {
      const ports = { clock: systemClock, random: systemRandom, log: silentLog };
      const mock = await createMockService({
        ...ports,
        baseUrl: origin,
        fetch: createSystemFetch(),
      });
      return mock.fetch;
    },
  });
}

/** How long the script may take: a limit for what hangs. Milliseconds. */
const LIMIT = 90_000;

/** The processes of a group: what each waits for, and its words. */
function runningIn(group: number | undefined): string {
  return execFileSync('ps', ['-e', '-o', 'pgid,pid,ppid,stat,wchan,etime,time,args'], LIMITED)
    .toString()
    .split('\n')
    .filter((line) => line.trim().startsWith(`${group} `))
    .join('\n');
}

/** Runs the action's script as a runner does: a strict bash, inputs as variables, files to append to. */
async function runAction(given: Readonly<Record<string, string>>, oldNode?: string) {
  const step = runs.steps.find(({ run }) => run !== undefined);
  const value = (expression: string) => {
    const name = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1] ?? '';
    return given[name] ?? inputs[name]?.default ?? '';
  };
  const env = Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, text]) => [name, value(text)]),
  );
  // What it installs is built here already. Its words are written down, and those of the program.
  stub('npm', `printf '%s\\n' "$*" >> ${folder}/npm-words`);
  stub(
    'node',
    `case "$1" in *agent-auth.js) printf '%s\\n' "$@" > ${folder}/words;; esac; exec '${process.execPath}' "$@"`,
  );
  if (oldNode !== undefined) {
    stub('node', `[ "$1" = --version ] && echo ${oldNode} || exit 1`);
  }
  writeFileSync(join(folder, 'script.sh'), step?.run ?? '');
  for (const name of ['npm-words', 'output', 'summary'])
    rmSync(join(folder, name), { force: true });
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'script.sh'], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      XDG_RUNTIME_DIR: folder,
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it has started holds its output open, and ends with it.
    detached: true,
  });
  let stderr = '';
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const stuck = setTimeout(() => {
    stderr += `\nIt did not end within ${LIMIT / 1000} s. What ran:\n${runningIn(child.pid)}`;
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, LIMIT);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(stuck);
  if (child.signalCode !== null) throw new Error(`${stdout}${stderr}`);
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const outputs = Object.fromEntries(
    read('output')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
  const wordsOf = (name: string) => read(name).split('\n');
  return {
    code,
    stderr,
    stdout,
    outputs,
    words: wordsOf('words'),
    npm: wordsOf('npm-words'),
    read,
  };
}

describe.runIf(isBuilt)('the script of the action', () => {
  it('judges a mock, writes the reports and the job summary, and gives their paths', async () => {
    const { code, stderr, outputs, words, npm, read } = await runAction({
      options: '  --only=anonymous  \n\n--level=must',
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Judging')]);
    expect(npm).toEqual([
      `ci --prefix ${ROOT} --include=dev --ignore-scripts --no-audit --no-fund`,
      `run --prefix ${ROOT} build`,
      '',
    ]);
    expect(words[0]).toBe(PROGRAM);
    expect(words).toContain('--mock');
    expect(words).toEqual(expect.arrayContaining(['--only=anonymous', '--level=must']));
    expect(outputs).toEqual({
      'exit-code': '0',
      junit: 'conformance-report/conformance.xml',
      html: 'conformance-report/conformance.html',
      json: 'conformance-report/conformance.json',
      verdict: 'conforms',
      protocol: expect.stringMatching(/^(\d+)\/\1$/),
      standards: expect.stringMatching(/^(\d+)\/\1$/),
      attacks: expect.stringMatching(/^(\d+)\/\1$/),
      ema: '0/0',
    });
    expect(read(outputs['junit'] ?? '')).toContain('<testsuite');
    expect(read(outputs['html'] ?? '')).toContain('<html');
    expect(JSON.parse(read(outputs['json'] ?? ''))).toMatchObject({ role: 'service' });
    expect(read('summary')).toMatch(/^\| must \|/m);
  });

  it('judges an agent by its command, and fails when that fails', async () => {
    const { code, outputs, words, read } = await runAction({
      role: 'agent',
      target: 'node missing-adapter.js --flag',
      options: '--only=agent-directory',
    });
    expect([code, outputs['exit-code']]).toEqual([9, '9']);
    expect(words.slice(words.indexOf('--'))).toEqual([
      '--',
      'node',
      'missing-adapter.js',
      '--flag',
      '',
    ]);
    expect(read('summary')).toContain('agent-directory');
  });

  it('says what changed since another report, which alone does not fail the step', async () => {
    const first = await runAction({ options: '--only=anonymous,resource-metadata' });
    const before = first.read(first.outputs['json'] ?? '');
    writeFileSync(
      join(folder, 'before.json'),
      before.replaceAll('"status": "pass"', '"status": "fail"'),
    );
    const same = await runAction({ options: '--only=anonymous', compare: 'before.json' });
    expect([same.code, same.outputs['worse']]).toEqual([0, 'false']);
    expect(same.read(same.outputs['diff'] ?? '')).toMatch(
      /^## ✅ Nothing got worse(.*\n)*### Passes now \(\d+\)\n\n- fail → pass `anonymous\./,
    );
    expect(same.read('summary')).toContain('### What changed');
    writeFileSync(
      join(folder, 'before.json'),
      before.replace('agent-auth.conformance/1', 'agent-auth.conformance/2'),
    );
    const bad = await runAction({ options: '--only=anonymous', compare: 'before.json' });
    expect([bad.code, bad.outputs['worse'], bad.outputs['diff']]).toEqual([
      2,
      undefined,
      undefined,
    ]);
    const missing = await runAction({ options: '--only=anonymous', compare: 'no where.json' });
    expect([missing.code, missing.stdout]).toEqual([
      0,
      expect.stringContaining('::warning title=agent-auth conformance::There is no report'),
    ]);
  });

  it.each([
    ['fail', 9],
    ['pass', 0],
  ])('may %s where the run is inconclusive', async (inconclusive, exit) => {
    // The provider of the suite is not trusted: a part of the core is not judged.
    const mock = await servedMock();
    try {
      const { code, outputs, stdout } = await runAction({
        target: mock.origin,
        inconclusive,
        options: '--no-control\n--only=id-jag',
      });
      expect([code, outputs['exit-code'], outputs['verdict']]).toEqual([exit, '9', 'inconclusive']);
      expect(stdout.includes('::warning title=agent-auth conformance::The run is')).toBe(
        exit === 0,
      );
    } finally {
      await mock.close();
    }
  });

  it('checks the discovery documents of a folder in place of a conformance run', async () => {
    const site = join(folder, 'public/.well-known');
    mkdirSync(site, { recursive: true });
    const file = join(site, 'oauth-authorization-server');
    writeFileSync(file, '{"issuer": "https://a.example", "agent_auth": {"register_uri": null}}');
    const bad = await runAction({ lint: 'public', options: '--base=https://a.example' });
    expect([bad.code, bad.outputs]).toEqual([
      1,
      { 'exit-code': '1', sarif: 'conformance-report/lint.sarif' },
    ]);
    expect(bad.words.slice(1, 3)).toEqual(['lint', 'public']);
    expect(bad.words).toContain('--base=https://a.example');
    const log = JSON.parse(bad.read(bad.outputs['sarif'] ?? ''));
    const [first] = log.runs[0].results;
    expect(first.ruleId).toBe('register-url-unusable');
    expect(first.locations[0].physicalLocation.artifactLocation.uri).toBe(
      'public/.well-known/oauth-authorization-server',
    );
    expect(bad.read('summary')).toContain('      ✗ line 1: agent_auth.register_uri is null.');
    const lines = bad.stdout.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(3);
    const [begin = '', ...between] = lines;
    expect(begin).toMatch(/^::stop-commands::\S+$/);
    expect(between.at(-1)).toBe(`${begin.replace('stop-commands::', '')}::`);
    writeFileSync(
      file,
      '{"issuer": "https://a.example", "agent_auth": {"x-no-registration": true}}',
    );
    expect((await runAction({ lint: 'public' })).code).toBe(0);
    expect((await runAction({ lint: 'nowhere' })).code).toBe(2);
  });

  it('fails as the command does, and takes an option that looks like a command for what it is', async () => {
    const hostile = `$(touch ${folder}/pwned)`;
    const { code, outputs, words } = await runAction({ options: hostile });
    expect([code, outputs]).toEqual([2, { 'exit-code': '2' }]);
    expect(words).toContain(hostile);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it.each([
    ['role', 'service\nprovider', "$'service\\nprovider'", 'it takes one line'],
    ['role', 'judge', 'judge', 'use service, provider or agent'],
    ['target', 'http://127.0.0.1\n::stop-commands::x', null, 'it takes one line'],
    ['target', '--mock', '--mock', 'it begins with a dash, as an option does'],
    ['baseline', 'a\rb', "$'a\\rb'", 'it takes one line'],
    ['baseline', '-x', '-x', 'it begins with a dash, as an option does'],
    ['report', 'a\nhtml=/etc/passwd', "$'a\\nhtml=/etc/passwd'", 'it takes one line'],
    ['report', '-m777', '-m777', 'it begins with a dash, as an option does'],
    ['report', '', "''", 'name a folder'],
    ['compare', 'a\nb', "$'a\\nb'", 'it takes one line'],
    ['compare', '--seed', '--seed', 'it begins with a dash, as an option does'],
    ['lint', 'public\n::stop-commands::x', null, 'it takes one line'],
    ['lint', '--fix', '--fix', 'it begins with a dash, as an option does'],
    ['inconclusive', 'maybe', 'maybe', 'use fail or pass'],
  ])(
    'refuses a %s like %j in one line, before anything is installed',
    async (input, value, shown, why) => {
      const { code, stdout, outputs, npm, words } = await runAction({ [input]: value });
      const [line = '', ...rest] = stdout.split('\n');
      expect([code, outputs, rest]).toEqual([2, { 'exit-code': '2' }, ['']]);
      const start = `::error title=agent-auth conformance::${input} cannot be `;
      expect(line.startsWith(start) && line.endsWith(`: ${why}.`)).toBe(true);
      if (shown !== null) expect(line).toBe(`${start}${shown}: ${why}.`);
      expect([npm, words]).toEqual([[''], ['']]);
      expect(readdirSync(folder).sort()).toEqual(['node', 'npm', 'output', 'script.sh']);
    },
  );

  it.each(['v18.20.8', 'v22.2.0'])('names the Node.js that is too old: %s', async (version) => {
    const { code, stdout } = await runAction({}, version);
    expect([code, stdout]).toEqual([
      2,
      `::error title=agent-auth conformance::Node.js cannot be ${version}: set up 20.19, 22.13, 24 or newer before this step.\n`,
    ]);
  });
});
