import { afterEach, describe, expect, it, vi } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { RuntimeFiles } from '../../../src/cli/shell/runtime-files.ts';
import { type Fetch, NetworkError, type NetworkErrorCode } from '../../../src/runtime/ports.ts';
import { testFolder } from '../../support/test-folder.ts';
import { machineWithService, registered, SERVICE } from '../support/mocks.ts';
import { newMachine, routeTo, runCli } from '../support/run-cli.ts';

/** A network in which one scheme alone is answered; what else is asked fails with `code`. */
function answersTo(scheme: string, code: NetworkErrorCode): { network: Fetch; asked: string[] } {
  const asked: string[] = [];
  const network: Fetch = async (input) => {
    const url = String(input);
    asked.push(url);
    if (!url.startsWith(scheme)) throw new NetworkError(code, 'no');
    return new Response('not found', { status: 404 });
  };
  return { network, asked };
}

interface Printed {
  readonly error: {
    readonly code: string;
    readonly next: { readonly argv: string[]; line: string };
  };
}

afterEach(() => vi.useRealTimers());

const nextOf = (stdout: string) => (JSON.parse(stdout) as Printed).error.next;

describe('the line that is proposed, typed as it stands', () => {
  it.each([
    ['https://localhost:4801', 'http://', 'not_tls'],
    ['http://localhost:4801', 'https://', 'reset'],
  ] as const)('%s where %s answers', async (typed, scheme, code) => {
    const { network, asked } = answersTo(scheme, code);
    const machine = { ...newMachine(), network };
    const first = await runCli(machine, ['discover', typed, '--json']);
    const { argv } = nextOf(first.stdout);
    expect(argv).toEqual([
      'agent-auth',
      'discover',
      typed.replace(/^https?:\/\//, scheme),
      '--json',
    ]);
    asked.length = 0;
    await runCli(machine, argv.slice(1));
    expect(asked.every((url) => url.startsWith(scheme))).toBe(true);
    expect(asked).not.toEqual([]);
  });

  it('names --ca for a certificate that is not trusted', async () => {
    const machine = { ...newMachine(), network: answersTo('none', 'tls').network };
    const { stdout } = await runCli(machine, ['discover', 'https://localhost:4801', '--json']);
    expect(nextOf(stdout).line).toBe('agent-auth discover https://localhost:4801 --json --ca FILE');
  });

  it.each([
    ['https://localhost:4801', 'mock-ca.pem'],
    ['https://localhost:9999', 'FILE'],
    ['https://other.example', 'FILE'],
  ])('names the authority of a mock for that mock alone: %s', async (typed, file) => {
    const runtime = testFolder();
    const env = { XDG_RUNTIME_DIR: runtime };
    const environment = readEnvironment(env, { platform: 'linux', inContainer: () => false });
    new RuntimeFiles(environment).write({
      ...{ pid: process.pid, started: 0, ca: 'mock-ca.pem', control: null },
      ...{ service: 'https://127.0.0.1:4800', provider: 'https://127.0.0.1:4801' },
    });
    const machine = { ...newMachine(), network: answersTo('none', 'tls').network };
    const { stdout } = await runCli(machine, ['discover', typed, '--json'], { env });
    expect(nextOf(stdout).argv.slice(-2)).toEqual(['--ca', file]);
  });

  it.each([
    ['http://localhost:9999', ' A mock runs at http://127.0.0.1:4808.'],
    ['https://other.example', ''],
  ])('names the mock that runs, where nothing listens on this machine: %s', async (typed, more) => {
    const env = { XDG_RUNTIME_DIR: testFolder() };
    const environment = readEnvironment(env, { platform: 'linux', inContainer: () => false });
    new RuntimeFiles(environment).write({
      ...{ pid: process.pid, started: 0, ca: null, control: null },
      ...{ service: 'http://127.0.0.1:4808', provider: 'http://127.0.0.1:4801' },
    });
    const { stdout } = await runCli(newMachine(), ['discover', typed, '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'unreachable',
        hint: expect.stringMatching(new RegExp(`try again\\.${more}$`)),
      },
    });
  });

  it('is for a mock that runs, also where it is too busy to answer at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const env = { XDG_RUNTIME_DIR: testFolder() };
    const environment = readEnvironment(env, { platform: 'linux', inContainer: () => false });
    new RuntimeFiles(environment).write({
      ...{ pid: process.pid, started: 0, ca: null, control: null },
      ...{ service: SERVICE, provider: null },
    });
    const { servers } = await machineWithService();
    let isBusy = true;
    const network: Fetch = async (url, init) => {
      if (isBusy) vi.advanceTimersByTime(60_000);
      isBusy = false;
      init?.signal?.throwIfAborted();
      return routeTo(servers)(url, init);
    };
    const { code } = await runCli({ ...newMachine(), network }, ['register'], { env });
    expect([isBusy, code]).toEqual([false, 0]);
  });

  it('unsets a refused AGENT_AUTH_TOKEN, and registers no second time', async () => {
    const { machine, run } = await registered();
    const env = { AGENT_AUTH_TOKEN: 'at_old', AGENT_AUTH_SERVICE: SERVICE };
    const { stdout } = await run(`call ${SERVICE}/api/resource --json`, { env });
    expect(nextOf(stdout)).toMatchObject({ argv: ['unset', 'AGENT_AUTH_TOKEN'] });
    // Typed: the same line without the variable, by the registration that there is.
    expect((await runCli(machine, ['call', `${SERVICE}/api/resource`])).code).toBe(0);
  });
});
