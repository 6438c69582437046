import { statSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BadCommand, SystemHarness } from '../../../src/conformance/index.ts';
import { ConnectionDropped } from '../../../src/mock-service/index.ts';
import { type Sleep, systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { isAlive } from '../../support/is-alive.ts';
import { until } from '../../support/until.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Opens a harness whose agent is a script for Node. */
const openHarness = (
  script: string,
  { command = process.execPath, sleep = systemSleep }: { command?: string; sleep?: Sleep } = {},
) =>
  SystemHarness.open({
    clock: systemClock,
    sleep,
    random: systemRandom,
    command: [command, '-e', script, '--', 'an-argument'],
    environment: process.env,
    kill: (pid, signal) => {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended by itself.
      }
    },
  });

let harness: SystemHarness;
/** Whether the command has left a file of this name where it runs. */
const hasWritten = async (name: string) =>
  (await harness.files()).some(({ path }) => path === `work/${name}`);
const run = (limit = 10_000, browser = false) =>
  harness.run({ variables: { AGENT_AUTH_SERVICE: 'x' }, limit, browser });

describe('a run of a command', () => {
  afterEach(() => harness.close());

  it('returns exit code, output and arguments', async () => {
    harness = await openHarness(
      "console.log('out', process.env.AGENT_AUTH_SERVICE); console.error('err'); setTimeout(() => process.exit(3), 200)",
    );
    const { argv, ...end } = await run();
    expect(end).toEqual({
      exitCode: 3,
      killed: false,
      timedOut: false,
      stdout: 'out x\n',
      stderr: 'err\n',
      opened: [],
    });
    if (process.platform === 'linux') expect(argv?.flat()).toContain('an-argument');
  });

  it('sees the arguments of what the command starts', async ({ skip }) => {
    if (process.platform !== 'linux') skip('processes are seen by /proc, which is of Linux');
    let wasThere = false;
    harness = await openHarness(
      "const fs = require('fs'); const c = require('child_process').spawn('sleep', ['60']); fs.writeFileSync('there', ''); setInterval(() => fs.existsSync('seen') && process.exit(c.kill() ? 0 : 1), 10)",
      {
        // It rests after each look: the second one since the file is there has seen what was started.
        sleep: async (ms, signal) => {
          if (wasThere) await harness.plant('seen', '');
          else if (ms < SECOND) wasThere = await hasWritten('there');
          await systemSleep(ms, signal);
        },
      },
    );
    expect((await run()).argv).toContainEqual(['sleep', '60']);
  });

  it('has an end by force, for everything that the command started', async () => {
    harness = await openHarness(
      "const c = require('child_process').spawn('sleep', ['60']); console.log(c.pid); process.on('SIGTERM', () => {}); require('fs').writeFileSync('there', ''); setInterval(() => {}, 1000)",
      // The limit is over once there is something to end.
      {
        sleep: (ms, signal) =>
          ms === MINUTE ? until(() => hasWritten('there')) : systemSleep(ms, signal),
      },
    );
    const { killed, exitCode, stdout } = await run(MINUTE);
    expect([killed, exitCode]).toEqual([true, null]);
    await until(() => !isAlive(Number(stdout)));
  });

  it('has folders of its own, and remembers what was to be opened', async () => {
    harness = await openHarness(
      "require('fs').writeFileSync(process.env.HOME + '/kept', 'secret', { mode: 0o640 }); require('child_process').spawnSync('xdg-open', ['-flag', 'http://a b'])",
    );
    expect((await run()).opened).toEqual(['-flag', 'http://a b']);
    const [kept] = (await harness.files()).filter(({ path }) => path === 'home/kept');
    expect(kept).toMatchObject({ text: 'secret', mode: expect.any(Number) });
    expect((kept?.mode ?? 0) & 0o077).not.toBe(0);
    const copy = await harness.relink('home/kept');
    expect(await copy()).toBe('secret');
  });

  it('has an end by force, for a command that prints without end', async () => {
    harness = await openHarness(
      "const text = 'x'.repeat(65536); for (;;) require('fs').writeSync(1, text)",
    );
    const { killed, killedFor, stdout } = await run();
    expect([killed, killedFor]).toEqual([true, 'printed more than 4 MB']);
    expect(stdout.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('is over when the command has ended, whoever else holds its output', async ({ skip }) => {
    if (process.platform !== 'linux') skip('processes are seen by /proc, which is of Linux');
    harness = await openHarness(
      "const c = require('child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' }); c.unref(); console.log(c.pid)",
    );
    const { killed, exitCode, stdout } = await run(60_000);
    expect([killed, exitCode]).toEqual([false, 0]);
    await until(() => !isAlive(Number(stdout)));
  });

  it('knows nothing of the runs before, where the harness forgets', async () => {
    harness = await openHarness(
      "const at = process.env.HOME + '/kept'; const fs = require('fs'); if (fs.existsSync(at)) process.exit(5); fs.writeFileSync(at, ''); require('child_process').spawnSync('xdg-open', ['http://a'])",
    );
    const first = await run();
    const second = await run();
    await harness.forget();
    const third = await run();
    expect([first, second, third].map(({ exitCode }) => exitCode)).toEqual([0, 5, 0]);
    expect([first, second, third].map(({ opened }) => opened.length)).toEqual([1, 0, 1]);
  });

  it('does not begin once the harness was stopped', async () => {
    harness = await openHarness('');
    harness.stop();
    await expect(run()).rejects.toThrow('The run was interrupted.');
  });

  it('leaves no server behind that was starting when the harness was closed', async () => {
    harness = await openHarness('');
    let origin = '';
    const hosting = harness.host(async (its) => {
      origin = its;
      return async () => new Response('it lives');
    });
    await Promise.all([
      harness.close(),
      expect(hosting).rejects.toThrow('The run was interrupted.'),
    ]);
    expect(origin).toMatch(/^http:/);
    await expect(fetch(origin)).rejects.toThrow('fetch failed');
  });

  it('cannot be had of a command that is not there', async () => {
    harness = await openHarness('', { command: '/nonexistent/command' });
    await expect(run()).rejects.toBeInstanceOf(BadCommand);
    expect(harness.failure).toBeInstanceOf(BadCommand);
  });
});

describe('a server of the harness', () => {
  afterEach(() => harness.close());

  it('sees plain http to any other machine, by the proxy that the command is given', async () => {
    harness = await openHarness(
      "const h = require('http'); const p = new URL(process.env.HTTP_PROXY); h.get({ host: p.hostname, port: p.port, path: 'http://plain.example.test/x', headers: { host: 'plain.example.test' } }, (r) => { console.log(r.statusCode); r.resume(); })",
    );
    const asked: string[] = [];
    await harness.elsewhere(async (request) => {
      asked.push(request.url);
      return new Response(null, { status: 204 });
    });
    expect((await run()).stdout).toBe('204\n');
    expect(asked).toEqual(['http://plain.example.test/x']);
  });

  it("sees plain http to a host of the suite, by Node's own fetch, which asks no proxy", async () => {
    harness = await openHarness(
      "fetch('http://plain.invalid:8080/x').then((r) => console.log(r.status))",
    );
    const asked: string[] = [];
    await harness.elsewhere(async (request) => {
      asked.push(request.url);
      return new Response(null, { status: 204 });
    });
    expect((await run()).stdout).toBe('204\n');
    expect(asked).toEqual(['http://plain.invalid:8080/x']);
  });

  it.each([
    ["Node's own fetch", "fetch('https://safe.invalid/x')"],
    [
      'a proxy',
      "new Promise((_, no) => { const p = new URL(process.env.HTTPS_PROXY); require('http').request({ host: p.hostname, port: p.port, method: 'CONNECT', path: 'safe.invalid:443' }).on('connect', no).end() })",
    ],
  ])('notes which host https was wanted from, by %s', async (_how, script) => {
    harness = await openHarness(`${script}.catch(() => process.exit(0))`);
    await run();
    expect(harness.secureHosts()).toEqual([expect.stringContaining('safe.invalid')]);
  });

  it('keeps the NODE_OPTIONS of whoever runs it', async () => {
    vi.stubEnv('NODE_OPTIONS', '--no-deprecation');
    harness = await openHarness('console.log(process.noDeprecation, process.env.NODE_OPTIONS)');
    expect((await run()).stdout).toMatch(/^true --no-deprecation --require="\//);
  });

  it('closes a connection without an answer when its handler says so', async () => {
    harness = await openHarness('');
    const origin = await harness.host(async () => async () => {
      throw new ConnectionDropped();
    });
    await expect(fetch(origin)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
  });

  it('leaves nothing behind', async () => {
    harness = await openHarness('console.log(process.cwd())');
    const folder = (await run()).stdout.trim();
    expect(statSync(folder).isDirectory()).toBe(true);
    await harness.close();
    expect(() => statSync(folder)).toThrow();
  });
});
