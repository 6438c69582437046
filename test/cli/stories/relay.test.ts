import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../../src/mock/http/serve.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { FakeClock, SeededRandom, silentLog } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { createSystemForward } from '../../../src/runtime/system-forward.ts';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { type Live, type Machine, newMachine, type Run, runCli } from '../support/run-cli.ts';
import { serving } from '../support/serving.ts';

let folder: string;
let service: Served;
let machine: Machine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  service = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async (baseUrl) => {
      const mock = await createMockService({
        baseUrl,
        clock: new FakeClock(),
        random: new SeededRandom(7),
        fetch: createSystemFetch(),
        log: silentLog,
      });
      return mock.fetch;
    },
  });
  machine = { ...newMachine(), connect: createSystemFetch, forward: createSystemForward() };
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** The proxy in front of the service; `during` gets its URL. */
async function relaying(
  flags: readonly string[],
  during: (url: string, live: Live) => Promise<void>,
): Promise<Run> {
  const line = ['proxy', '--to', service.origin, '--port', '0', '--json', ...flags];
  return serving(machine, line, undefined, async (ready, live) => {
    await during(String((JSON.parse(ready) as { service: unknown }).service), live);
  });
}

describe('proxy', () => {
  it('prints a line when it is ready, one for each exchange, and a summary', async () => {
    const file = join(folder, 'run.json');
    const run = await relaying(['--transcript', file], async (url) => {
      const agent = await runCli(machine, ['connect', url, '--call', '/api/resource']);
      expect(agent).toMatchObject({ code: 0, stderr: expect.stringContaining(url) });
    });
    expect(run.code).toBe(0);
    const printed = run.json();
    expect(printed[0]).toMatchObject({ schema: 'agent-auth.proxy-ready/1', to: service.origin });
    const exchanges = printed.filter(({ schema }) => schema === 'agent-auth.proxy-exchange/1');
    expect(exchanges.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['server_metadata', 'register', 'exchange', 'call']),
    );
    expect(exchanges.map(({ seq }) => seq)).toEqual(exchanges.map((_, index) => index + 1));
    expect(printed.at(-1)).toMatchObject({
      schema: 'agent-auth.proxy-summary/1',
      exchanges: exchanges.length,
      registrations: [{ state: 'unclaimed' }],
    });
    const transcript = JSON.parse(readFileSync(file, 'utf8')) as { exchanges: unknown[] };
    expect(transcript).toMatchObject({ transcript: 1 });
    expect(transcript.exchanges).toHaveLength(exchanges.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(run.stdout + readFileSync(file, 'utf8')).not.toMatch(/\b(?:at|clm)_\w{10}/);
  });

  it('says in words what is exchanged, and ends with a summary', async () => {
    const line = ['proxy', '--to', service.origin, '--port', '0'];
    const run = await serving(machine, line, undefined, async (_ready, live) => {
      await until(() => /service +(http:\S+)/.test(live.stdout.text));
      const url = /service +(http:\S+)/.exec(live.stdout.text)?.[1] ?? '';
      await runCli(machine, ['register', url, '--type', 'anonymous']);
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/agent +POST \/agent\/identity +200 +unclaimed +registered/);
    expect(run.stdout).toMatch(
      /Summary\n +reg_\S+ +unclaimed\n +Exchanges: \d+\. Requirements broken: none seen\./,
    );
  });

  it('explains a port that is taken', async () => {
    const { port } = new URL(service.origin);
    const other = 'http://127.0.0.1:1';
    const run = await runCli(machine, ['proxy', '--to', other, '--port', port, '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject([{ error: { code: 'listen_in_use' } }]);
  });

  it('does not stand in front of itself', async () => {
    const port = String(await freePort());
    const to = `http://localhost:${port}`;
    const run = await runCli(machine, ['proxy', '--to', to, '--port', port, '--json']);
    expect(run.code).toBe(2);
    expect(run.json()).toMatchObject([{ error: { code: 'proxy_loop' } }]);
  });

  it.each([
    [['--to', 'http://api.example'], /https or on this machine/],
    [['--to', 'https://api.example', '--fail-on', 'always'], /must, should, may/],
    [['--to', 'https://api.example', '--transcript', '/nonexistent/run.json'], /cannot be written/],
    [[], /--to/],
  ])('refuses %j', async (flags, says) => {
    const run = await runCli(machine, ['proxy', ...flags]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  });

  it('says what an agent did wrong, and exits 1 where that was asked for', async () => {
    const asJson = async (url: string) => {
      const body = JSON.stringify({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' });
      const headers = { 'content-type': 'application/json' };
      await createSystemFetch()(`${url}/oauth2/token`, { method: 'POST', headers, body });
    };
    const run = await relaying(['--fail-on', 'must'], asJson);
    expect(run.code).toBe(1);
    const printed = run.json();
    expect(printed).toContainEqual(
      expect.objectContaining({
        schema: 'agent-auth.proxy-finding/1',
        requirement: 'AR-EP-7.agent',
        level: 'must',
        by: 'agent',
        seq: 1,
      }),
    );
    expect(printed.at(-1)).toMatchObject({
      failed: true,
      findings: { must: 1, should: 0, may: 0 },
    });
    expect((await relaying([], asJson)).code).toBe(0);
  });
});
