import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { LIMITED } from '../support/limited.ts';
import { findOnPath } from '../support/on-path.ts';
import { until } from '../support/until.ts';
import { ROOT } from './project.ts';

/** What `docs/other-languages.md` shows, run by the languages themselves with the built program. */
const AGENT_AUTH = `${process.execPath} ${join(ROOT, 'bin/agent-auth.js')}`;
const SERVICE = `python3 ${join(ROOT, 'test/conformance/services/python-stdlib/service.py')}`;

/** The agent of the example, which takes no time between its polls, in the tests of the example. */
const HASTY = `import test_agent
from test_agent import *

class Hasty(test_agent.Agent):
    def await_claim(self):
        self.attempt["interval"] = 1
        super().await_claim()

test_agent.Agent = Hasty
`;

const PAGE = readFileSync(join(ROOT, 'docs/other-languages.md'), 'utf8');
const blocksOf = (kind: string) =>
  [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, is, text = '']) =>
    is === kind ? [text] : [],
  );

/** The lines of what the page says that a run prints, which begin with this; without percentages and times. */
const shown = (start: string) =>
  (blocksOf('text').find((text) => text.startsWith(start)) ?? '').trim().split('\n').map(steady);
const steady = (line: string) => line.replace(/ +\[ *\d+%\]$| in \d.*$/, '');

let folder: string;
let children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-languages-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in a copy of an example, so that nothing is left beside the originals. */
async function run(
  language: 'python' | 'go',
  [file = '', ...words]: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  cpSync(join(ROOT, 'docs/examples', language), folder, { recursive: true });
  const options = { cwd: folder, env: environment(own), timeout: 240_000 };
  return new Promise((resolve) => {
    execFile(file, words, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

function environment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const python = { PYTHONDONTWRITEBYTECODE: '1', PYTEST_ADDOPTS: '-p no:cacheprovider' };
  // No toolchain and no module is fetched: the example needs none.
  const go = { GOPROXY: 'off', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  return { ...process.env, AGENT_AUTH_HOME: folder, AGENT_AUTH, ...python, ...go, ...own };
}

/** As npm links the program of a project. */
function installProgram(): void {
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(ROOT, 'bin/agent-auth.js'), join(bin, 'agent-auth'));
}

describe('the page', () => {
  it.each([
    ['python', 'test_agent.py'],
    ['go', 'agent_test.go'],
  ])('shows a test of the files in %s as it stands there', (kind, file) => {
    const example = readFileSync(join(ROOT, 'docs/examples', kind, file), 'utf8');
    expect(blocksOf(kind)).toHaveLength(1);
    for (const text of blocksOf(kind)) expect(example).toContain(text);
  });
});

/** As `describeWithProgram`, where finding the program is not enough. */
function describeWith(
  { label, variable, found }: { label: string; variable: string; found: string | undefined },
  body: (program: string) => void,
): void {
  const name = `the examples for ${label}`;
  if (found === undefined && process.env[variable] === '1') {
    throw new Error(`${variable}=1, but there is no ${label} here`);
  }
  if (found === undefined) process.stdout.write(`skipped: ${name}: there is no ${label} here\n`);
  describe.skipIf(found === undefined)(name, () => body(found ?? ''));
}

/** The first Python that has pytest: the one of the PATH may be another than that of the distribution. */
const python = [findOnPath(['python3'], process.env['PATH'] ?? ''), '/usr/bin/python3'].find(
  (each) =>
    each !== undefined &&
    spawnSync(each, ['-m', 'pytest', '--version'], { ...LIMITED, cwd: tmpdir() }).status === 0,
);

describeWith(
  { label: 'Python with pytest', variable: 'AGENT_AUTH_REQUIRE_PYTHON', found: python },
  (program) => {
    const pytest = [program, '-m', 'pytest', '-v'];

    it('test an agent: it registers, is claimed, sees time pass, faults, and its end', async () => {
      const line = [program, '-m', 'pytest', '-q', 'test_agent.py'];
      const { code, output } = await run('python', line);
      expect([code, output.trim().split('\n').map(steady)]).toEqual([0, shown('.......')]);
    });

    it('find an agent that polls too fast', async () => {
      writeFileSync(join(folder, 'test_hasty.py'), HASTY);
      const { code, output } = await run('python', [...pytest, 'test_hasty.py']);
      expect([code, output]).toEqual([1, expect.stringContaining('6 passed')]);
      expect(output).toContain('FAILED test_hasty.py::test_keeps_the_interval_between_polls');
    });

    it('say why the mocks do not start', async () => {
      const script = 'from mocks import Mocks; Mocks("--fault", "none-of-this-name")';
      const { code, output } = await run('python', [program, '-c', script]);
      expect([code, output.trim().split('\n').at(-1)]).toEqual([
        1,
        "RuntimeError: The mocks did not start: Invalid --fault 'none-of-this-name'.",
      ]);
    });

    it('say what to install where there is no program, and have npx fetch none', async () => {
      const script = 'from mocks import Mocks; Mocks()';
      // No registry is asked: npx would run whatever has the name there.
      const none = { AGENT_AUTH: '', npm_config_offline: 'true' };
      const { code, output } = await run('python', [program, '-c', script], none);
      expect([code, output.trim().split('\n').at(-1)]).toEqual([
        1,
        "RuntimeError: The mocks did not start: ['npx', '--no', '--', 'agent-auth'] printed nothing. Type npm install agent-auth here, or set AGENT_AUTH.",
      ]);
    });

    it('run the program of the project that they were copied to', async () => {
      installProgram();
      const line = [program, '-m', 'pytest', '-q', 'test_agent.py', '-k', 'without_a_user'];
      const { code, output } = await run('python', line, { AGENT_AUTH: '' });
      expect([code, output]).toEqual([0, expect.stringContaining('1 passed')]);
    });

    it('leave no mocks behind when the tests are killed', async () => {
      cpSync(join(ROOT, 'docs/examples/python'), folder, { recursive: true });
      const script = 'from mocks import Mocks; m = Mocks(); print(m.service, flush=True); input()';
      const child = spawn(program, ['-c', script], { cwd: folder, env: environment({}) });
      children.push(child);
      let said = '';
      child.stdout.on('data', (text) => {
        said += String(text);
      });
      await until(() => said.includes('\n'));
      const answers = () =>
        fetch(`${said.trim()}/auth.md`).then(
          ({ status }) => status,
          () => 'nobody',
        );
      expect(await answers()).toBe(200);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await until(async () => (await answers()) === 'nobody');
    });

    const judged = { CONFORMANCE: '--only challenge,anonymous,service-auth', SERVICE };
    const resultsOf = (output: string, result: string) =>
      [...output.matchAll(new RegExp(`^test_service.py::(\\S+) ${result}`, 'gm'))].map(
        ([, name]) => name,
      );

    it('judge a service in Python, each check as a test, and leave the report for CI', async () => {
      const { code, output } = await run('python', [...pytest, 'test_service.py'], judged);
      expect([code, resultsOf(output, 'FAILED')]).toEqual([0, []]);
      expect(resultsOf(output, 'PASSED')).toContain('test_conforms[anonymous.claimed]');
      expect(readFileSync(join(folder, 'conformance.xml'), 'utf8')).toContain('<testsuites');
    });

    it('end a service that does not end with its stdin: the run hung', async () => {
      const stays = 'import time; print("http://127.0.0.1:2", flush=True); time.sleep(3600)';
      const own = { ...judged, SERVICE: `${program} -c '${stays}'` };
      const { code, output } = await run('python', [...pytest, 'test_service.py'], own);
      expect([code, output]).toEqual([1, expect.stringContaining('Nothing listens at')]);
      expect(resultsOf(output, 'FAILED')).toContain('test_conforms[run.begun]');
    });

    it('fail by the name of the check that a wrong service breaks', async () => {
      const wrong = { ...judged, SERVICE: `${SERVICE} --bug any-secret` };
      const { code, output } = await run('python', [...pytest, 'test_service.py'], wrong);
      expect([code, resultsOf(output, 'FAILED')]).toEqual([
        1,
        ['test_conforms[service-auth.nothing-before]'],
      ]);
    });

    const notes = { CONFORMANCE: '--section protocol --resource /api/notes' };

    it('judge the service that lies beside them, as the page shows, each sentence once', async () => {
      const own = { ...notes, SERVICE: 'python3 my_service.py' };
      const { code, output } = await run('python', [...pytest, 'test_service.py'], own);
      expect([code, resultsOf(output, 'FAILED')]).toEqual([
        1,
        ['test_conforms[agent-auth.claim-endpoint]'],
      ]);
      const start = 'test_service.py::';
      expect(shown(start)).toHaveLength(3);
      expect(output.split('\n').map(steady)).toEqual(expect.arrayContaining([...shown(start)]));
      expect(output.match(/^(?:Seen: )?"claim_endpoint": nothing/gm)).toHaveLength(1);
    });

    it('judge a server that neither prints its URL nor ends with its stdin', async () => {
      const port = await freePort();
      const script = `from http.server import ThreadingHTTPServer; from my_service import Handler; ThreadingHTTPServer(('127.0.0.1', ${port}), Handler).serve_forever()`;
      const { code, output } = await run('python', [...pytest, 'test_service.py'], {
        CONFORMANCE: '--only anonymous',
        SERVICE: `python3 -c "${script}"`,
        SERVICE_URL: `http://127.0.0.1:${port}`,
      });
      expect([code, resultsOf(output, 'FAILED')]).toEqual([0, []]);
      expect(resultsOf(output, 'PASSED')).toContain('test_conforms[anonymous.registered]');
      await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    });

    it.each([
      ['python3 nowhere.py', {}, 'SERVICE printed nothing, and not its URL: python3 nowhere.py.'],
      ['echo hello', {}, "SERVICE printed 'hello' first, and not its URL: echo hello."],
      ['no-such-command', {}, 'SERVICE cannot be started: '],
      ['false', { SERVICE_URL: 'http://127.0.0.1:9' }, 'SERVICE has ended, at http://127.0.0.1:9'],
    ])('blamed the URL where the start command is wrong: %s', async (SERVICE, more, said) => {
      const own = { SERVICE, ...more };
      const { output } = await run('python', [...pytest, 'test_service.py'], own);
      expect(output).toContain(`RuntimeError: ${said}`);
      expect(output).not.toContain('The service URL');
    });
  },
);

const go = findOnPath(['go'], process.env['PATH'] ?? '');

describeWith({ label: 'Go', variable: 'AGENT_AUTH_REQUIRE_GO', found: go }, (program) => {
  it('test an agent: it registers, is claimed, sees time pass, faults, and its end', async () => {
    const { code, output } = await run('go', [program, 'test', '-count=1', '-v', '.']);
    const passed = output.match(/^--- PASS/gm) ?? [];
    expect([code, passed.length, code === 0 ? '' : output]).toEqual([0, 5, '']);
  });

  it('run the program of the project, and say why the mocks do not start', async () => {
    const none = { AGENT_AUTH: '', npm_config_offline: 'true' };
    const missing = await run('go', [program, 'test', '-count=1', '.'], none);
    expect([missing.code, missing.output]).toEqual([
      1,
      expect.stringContaining(
        'the mocks did not start: npx --no -- agent-auth printed nothing. Type npm install agent-auth here, or set AGENT_AUTH.',
      ),
    ]);
    installProgram();
    const { code, output } = await run('go', [program, 'test', '-count=1', '.'], none);
    expect([code, output]).toEqual([0, expect.stringContaining('ok')]);
  });
});
