import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LIMITED } from '../../support/limited.ts';
import { testFolder } from '../../support/test-folder.ts';
import { isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

const ROOT = join(import.meta.dirname, '../../..');
const action = parse(readFileSync(join(ROOT, 'mock/action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly runs: { readonly main: string; readonly post: string };
};

interface ExampleStep {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

let folder: string;
beforeEach(() => {
  folder = testFolder();
  // What it installs is built here already; its words are written down.
  writeFileSync(join(folder, 'npm'), `#!/bin/bash\nprintf '%s\\n' "$*" >> ${folder}/words\n`);
  chmodSync(join(folder, 'npm'), 0o755);
});

/** Runs a script of the action as a runner does: inputs and state as variables, files to append to. */
async function run(script: string, variables: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(ROOT, 'mock', script)], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      RUNNER_TEMP: folder,
      XDG_RUNTIME_DIR: folder,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_ENV: join(folder, 'env'),
      GITHUB_STATE: join(folder, 'state'),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 90_000,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.resume();
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, stdout };
}

const start = (inputs: Readonly<Record<string, string>> = {}) =>
  run(
    action.runs.main,
    Object.fromEntries(
      Object.entries({ port: '0', ...inputs }).map(([name, value]) => [
        `INPUT_${name.toUpperCase()}`,
        value,
      ]),
    ),
  );

const stop = () => {
  const state = Object.entries(fileOf('state')).map(([name, value]) => [`STATE_${name}`, value]);
  return run(action.runs.post, Object.fromEntries(state));
};

/** What was appended to a file of the runner. */
function fileOf(name: string): Record<string, string> {
  if (!existsSync(join(folder, name))) return {};
  const lines = readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

const answers = (url = '') =>
  fetch(`${url}/.well-known/jwks.json`).then(
    ({ status }) => status,
    () => 'nobody',
  );

describe.runIf(isBuilt)('the action mock', () => {
  it('starts both mocks, which answer until the end of the job and are gone then', async () => {
    const started = await start({ options: '  --lifetime=userCode=30s  \n\n--vendor\nacme' });
    expect([started.code, Object.keys(fileOf('output'))]).toEqual([0, Object.keys(action.outputs)]);
    const { service, provider } = fileOf('output');
    expect([await answers(service), await answers(provider)]).toEqual([200, 200]);
    expect(fileOf('env')).toMatchObject({
      AGENT_AUTH_MOCK_SERVICE: service,
      AGENT_AUTH_MOCK_PROVIDER: provider,
    });
    const metadata = await (
      await fetch(`${service}/.well-known/oauth-authorization-server`)
    ).text();
    expect(metadata).toContain('urn:acme:');
    expect(readFileSync(join(folder, 'words'), 'utf8').split('\n')).toEqual([
      `ci --prefix ${ROOT}/ --include=dev --ignore-scripts --no-audit --no-fund`,
      `run --prefix ${ROOT}/ build`,
      '',
    ]);

    const stopped = await stop();
    expect([stopped.code, await answers(service), await answers(provider)]).toEqual([
      0,
      'nobody',
      'nobody',
    ]);
    expect(stopped.stdout).toMatch(
      /^::group::.*\n::stop-commands::(\S+)\n\{"schema":[\s\S]*\n::\1::\n::endgroup::\n$/,
    );
  });

  it('gives later steps the token of the controls, which the log of the job never shows', async () => {
    const started = await start();
    const { AGENT_AUTH_CONTROL_TOKEN: token = '' } = fileOf('env');
    const { service } = fileOf('output');
    const { status } = await fetch(`${service}/__mock`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const stopped = await stop();
    expect([token.length > 20, status]).toEqual([true, 200]);
    const [masked, ...shown] = `${started.stdout}${stopped.stdout}`.split('\n');
    expect(masked).toBe(`::add-mask::${token}`);
    expect(shown.join('\n')).not.toContain(token);
  });

  it('is used by the example as it is: its inputs, its outputs, its lines', async () => {
    const example = readFileSync(join(ROOT, 'docs/examples/mock.yml'), 'utf8');
    const { steps } = (parse(example) as { jobs: { agent: { steps: readonly ExampleStep[] } } })
      .jobs.agent;
    const { with: inputs = {} } = steps.find(({ uses }) => uses?.includes('/mock@')) ?? {};
    expect(Object.keys(inputs).filter((name) => !(name in action.inputs))).toEqual([]);
    await start(inputs);
    const outputs = fileOf('output');
    try {
      const lines = steps.filter((step) => step.run?.startsWith('curl'));
      expect(lines).toHaveLength(2);
      for (const { env = {}, run: script = '' } of lines) {
        const own = Object.entries(env).map(([name, value]) => [
          name,
          value.replace(
            /^\$\{\{ steps\.mock\.outputs\.(\w+) \}\}$/,
            (_, output) => outputs[output] ?? '',
          ),
        ]);
        const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
          env: { PATH: process.env['PATH'], ...fileOf('env'), ...Object.fromEntries(own) },
          ...LIMITED,
        });
        expect([script, status]).toEqual([script, 0]);
      }
    } finally {
      await stop();
    }
  });

  it.each([
    ['port', '4800\n::set-output', 'use a number from 0 to 65535'],
    ['port', '-1', 'use a number from 0 to 65535'],
    ['config', 'a.yaml\nb', 'name one file that does not begin with a dash'],
    ['config', '--fault', 'name one file that does not begin with a dash'],
  ])('refuses a %s like %j in one line, before anything is installed', async (name, value, use) => {
    const { code, stdout } = await start({ [name]: value });
    expect([code, stdout]).toEqual([
      2,
      `::error title=agent-auth mock::${name} cannot be ${JSON.stringify(value)}: ${use}.\n`,
    ]);
    expect(existsSync(join(folder, 'words'))).toBe(false);
  });

  it('fails with the error of mocks that cannot start, and leaves none', async () => {
    const { code, stdout } = await start({ options: '--vendor=a%b' });
    expect([code, stdout]).toEqual([
      2,
      '::error title=agent-auth mock::Invalid --vendor \'a%25b\'. Use letters, digits and dashes, for example "vendor".\n',
    ]);
    expect(fileOf('output')).toEqual({});
    const { stdout: shown } = await stop();
    expect(shown).toContain('The mocks ended before the job did.');
  });
});
