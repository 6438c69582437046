import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveMock } from '../../../../src/cli/mock/servers/serve-mock.ts';
import { silentLog } from '../../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';
import { nextLike, step } from '../../../support/step.ts';
import { ALICE } from '../../support/mocks.ts';
import { type Live, type Machine, newMachine, type Run, runCli } from '../../support/run-cli.ts';

const network = createSystemFetch();
let runtime: string;
let machine: Machine;
beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  machine = { ...newMachine(), network };
});
afterEach(() => rmSync(runtime, { recursive: true }));

const run = (line: string): Promise<Run> =>
  runCli(machine, line.split(' '), { env: { XDG_RUNTIME_DIR: runtime } });

/** Runs a server command, `during` once it is ready, then stops it as Ctrl-C does. */
async function serving(
  line: string,
  during: (ready: Record<string, unknown>, live: Live) => Promise<void>,
): Promise<Run> {
  let live: Live | undefined;
  const running = runCli(machine, `${line} --json`.split(' '), {
    env: { XDG_RUNTIME_DIR: runtime },
    meanwhile: (started) => {
      live = started;
    },
  });
  const ended = running.then(() => undefined);
  const ready = await Promise.race([ended, firstLine(() => live?.stdout.text ?? '')]);
  if (live === undefined || ready === undefined) return running;
  try {
    await during(JSON.parse(ready), live);
  } finally {
    live.stop();
  }
  return running;
}

async function firstLine(text: () => string): Promise<string> {
  while (!text().includes('\n')) await new Promise((resolve) => setImmediate(resolve));
  return text().split('\n')[0] ?? '';
}

/** @param wanted taken by somebody else already is as good. */
async function takenPort(work: (port: number) => Promise<void>, wanted = 0): Promise<void> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve());
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const address = server.address();
  try {
    await work(typeof address === 'object' && address !== null ? address.port : 0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('mock service', () => {
  it('says where it answers, answers there, and ends with 0 when it is stopped', async () => {
    let status = 0;
    const { code, stderr } = await serving('mock service --port 0', async ({ service }) => {
      status = (await network(`${service}/.well-known/oauth-authorization-server`)).status;
    });
    expect([code, status, stderr]).toEqual([0, 200, '']);
  });

  it('prints one ready line, then one line for each request, without queries', async () => {
    const { json } = await serving('mock service --port 0', async ({ service }) => {
      const answer = await network(`${service}/login?return_to=%2Fclaim%3Ftoken%3Dsecret`);
      await answer.text();
    });
    expect(json()).toEqual([
      {
        schema: 'agent-auth.mock-ready/1',
        event: 'ready',
        service: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        provider: null,
        ca: null,
        pid: process.pid,
        remarks: [],
        // Not where a mock usually is: the lines name it, whatever service was used last.
        next: nextLike(/^agent-auth connect http:\S+$/),
        others: [
          nextLike(/^agent-auth connect http:\S+ --scope api.write --email alice@example.com$/),
        ],
      },
      {
        schema: 'agent-auth.mock-event/1',
        event: 'request',
        part: 'service',
        at: expect.stringMatching(/Z$/),
        method: 'GET',
        path: '/login',
        status: 200,
        ms: expect.any(Number),
      },
    ]);
  });

  it('is found by other commands while it runs, and leaves no note behind', async () => {
    await serving('mock service --port 0', async ({ service }) => {
      const { code, json } = await run('register --json');
      expect(code).toBe(0);
      expect(json()[0]).toMatchObject({ service: { issuer: service } });
    });
    expect(readdirSync(join(runtime, 'agent-auth'))).toEqual([]);
  });

  it('offers what it was told to offer', async () => {
    await serving(
      'mock service --port 0 --type anonymous --vendor acme --lifetime userCode=30s',
      async ({ service }) => {
        const { json } = await run(`discover ${service} --json`);
        expect(json()[0]?.['service']).toMatchObject({
          identity_types: ['anonymous'],
          claim_grant_type: 'urn:acme:agent-auth:grant-type:claim',
        });
        await run(`register ${service}`);
        const claim = await run(`claim --email ${ALICE} --no-wait --json`);
        expect(claim.json()[0]).toMatchObject({ claim: { expires_in: 30 } });
      },
    );
  });

  it('names --service in the lines to type when it cannot leave a note', async () => {
    rmSync(runtime, { recursive: true });
    const { json, code } = await serving('mock service --port 0', async () => {});
    mkdirSync(runtime);
    expect(code).toBe(0);
    expect(json()[0]?.['next']).toEqual(nextLike(/^agent-auth connect http:\S+$/));
  });

  it('keeps its data in the file of --db', async () => {
    const file = join(runtime, 'mock.db');
    await serving(`mock service --port 0 --db ${file}`, async () => {});
    expect(readdirSync(runtime)).toContain('mock.db');
  });

  it('is refused a port that is taken when that port was asked for', async () => {
    await takenPort(async (port) => {
      const { code, json } = await run(`mock service --port ${port} --json`);
      expect(code).toBe(1);
      expect(json()).toMatchObject([
        { error: { code: 'listen_in_use', message: expect.stringContaining(String(port)) } },
      ]);
    });
  });

  it('a port in use was told without whose it is and which one is free', async () => {
    await serving('mock service --port 0', async ({ service, pid }) => {
      const { port } = new URL(String(service));
      const { code, json } = await run(`mock service --port ${port} --no-control --json`);
      const [answer] = json();
      const free = Number(answer?.['free_port']);
      expect(code).toBe(1);
      expect(answer).toMatchObject({
        error: {
          code: 'listen_in_use',
          message: expect.stringContaining(`Your mock (process ${pid}) is using it.`),
          hint: `Port ${free} is free.`,
          next: step(`agent-auth mock service --port ${free} --no-control --json`),
        },
        mock: pid,
      });
      expect(await canListen(free)).toBe(true);
    });
  });

  it('a port in use was told with one after which the provider found its own taken', async () => {
    await serving('mock service --port 0', async ({ service }) => {
      const port = Number(new URL(String(service)).port);
      // The port after is free for the service, the one after that is not for the provider.
      await takenPort(async () => {
        const { code, json } = await run(`mock up --port ${port} --json`);
        const [answer] = json();
        const free = Number(answer?.['free_port']);
        expect(code).toBe(1);
        expect(answer).toMatchObject({
          error: {
            hint: `The ports ${free} and ${free + 1} are free.`,
            next: step(`agent-auth mock up --port ${free} --json`),
          },
        });
        expect([await canListen(free), await canListen(free + 1)]).toEqual([true, true]);
      }, port + 2);
    });
  });

  it('moves from a default port that is taken to the next free one', async () => {
    await takenPort(async (defaultPort) => {
      const served = await serveMock(
        { host: '127.0.0.1', port: undefined, defaultPort },
        { log: silentLog, build: async () => async () => new Response() },
      );
      expect(served.port).toBeGreaterThan(defaultPort);
      await served.close();
    });
  });

  it.each([
    [
      'another host, for sign-in asks for no password',
      '--host 0.0.0.0',
      '--allow-remote-passwordless-sign-in',
    ],
    ['a lifetime that there is not', '--lifetime nap=1s', 'userCode'],
    ['a lifetime that is no duration', '--lifetime userCode=soon', 'userCode=90s'],
    ['a vendor label that is none', '--port 0 --vendor ä', 'vendor label'],
    ['a base URL that is no origin', '--port 0 --base-url http://localhost/x', 'origin'],
    ['a trusted issuer that is no URL', '--trust http://example.com', 'https'],
    ['a type that there is not', '--type nobody', 'anonymous'],
  ])('exits 2 for %s', async (_case, options, text) => {
    const { code, stdout, stderr } = await run(`mock service ${options}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });

  it('says in one line that a database cannot be used', async () => {
    const { code, stderr } = await run(`mock service --db ${runtime}/no/such/x.db`);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('mock provider', () => {
  it('signs in and mints for any service', async () => {
    await serving(`mock provider --port 0 --auto-approve ${ALICE}`, async ({ provider }) => {
      expect((await run(`provider login ${provider}`)).code).toBe(0);
      expect((await run('provider mint --audience https://api.example.com')).code).toBe(0);
    });
  });

  it('mints for the named services alone with --audience', async () => {
    await serving(
      `mock provider --port 0 --auto-approve ${ALICE} --audience https://a.example`,
      async ({ provider }) => {
        await run(`provider login ${provider}`);
        expect((await run('provider mint --audience https://a.example')).code).toBe(0);
        expect((await run('provider mint --audience https://b.example')).code).toBe(5);
      },
    );
  });

  it('exits 2 for a user that is no email address', async () => {
    expect((await run('mock provider --auto-approve nobody')).code).toBe(2);
  });
});

describe('--no-control', () => {
  it.each([
    ['', 401],
    [' --no-control', 404],
  ])('opens or closes the controls: mock service%s', async (flag, status) => {
    await serving(`mock service --port 0${flag}`, async (ready) => {
      const answer = await fetch(`${ready['service']}/__mock`);
      expect(answer.status).toBe(status);
      const listed = await run('mock list');
      expect(listed.code).toBe(flag === '' ? 0 : 2);
    });
  });
});

describe('mock up', () => {
  it('calls each mock by its own URL', async () => {
    const own = '--base-url https://service.example --provider-base-url https://provider.example';
    await serving(`mock up --port 0 ${own}`, async (ready) => {
      expect(ready).toMatchObject({
        service: 'https://service.example',
        provider: 'https://provider.example',
      });
    });
    await serving('mock up --port 0 --base-url https://service.example', async (ready) => {
      expect(String(ready['provider'])).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    });
  });

  it('runs both, and each knows the other', async () => {
    const { code } = await serving(
      `mock up --port 0 --auto-approve ${ALICE}`,
      async ({ service, provider }) => {
        expect((await run('provider login')).code).toBe(0);
        const { code: registered, json } = await run(`register --provider ${provider} --json`);
        expect(registered).toBe(0);
        expect(json()[0]).toMatchObject({ service: { issuer: service }, status: 'registered' });
      },
    );
    expect(code).toBe(0);
  });

  it('does what its configuration file says, and the flags above that', async () => {
    const file = join(runtime, 'mock.yaml');
    writeFileSync(
      file,
      `port: 1
service_name: Acme API
provider_name: Acme ID
vendor: acme
types: [anonymous, identity_assertion]
auto_approve: ${ALICE}
lifetimes: { accessToken: 1m, userCode: 30s }
control: false
users: [{ email: ${ALICE}, name: Alice }]
`,
    );
    const line = `mock up --config ${file} --port 0 --lifetime userCode=20s`;
    const { code } = await serving(line, async ({ service, provider }) => {
      const discovered = (await run(`discover ${service} --json`)).json()[0]?.['service'];
      expect(discovered).toMatchObject({
        name: 'Acme API',
        identity_types: ['anonymous', 'identity_assertion'],
        claim_grant_type: 'urn:acme:agent-auth:grant-type:claim',
      });
      await run(`register ${service}`);
      expect((await run('token --json')).json()[0]).toMatchObject({ expires_in: 60 });
      const claim = await run(`claim --email ${ALICE} --no-wait --json`);
      expect(claim.json()[0]).toMatchObject({ claim: { expires_in: 20 } });
      // Alice is known to the service, so she has to agree to the link: exit 8.
      await run(`provider login ${provider}`);
      expect((await run(`register ${service} --provider ${provider}`)).code).toBe(8);
      expect((await run('mock list')).code).toBe(2);
    });
    expect(code).toBe(0);
  });

  it('leaves nothing running when one of the two ports cannot be had', async () => {
    await takenPort(async (port) => {
      // The port before a taken one is nearly always free; where it is not, that one is named.
      const isFree = await canListen(port - 1);
      const { code, stderr } = await run(`mock up --port ${port - 1}`);
      expect(code).toBe(1);
      expect(stderr).toContain(String(isFree ? port : port - 1));
      expect(await canListen(port - 1)).toBe(isFree);
    });
  });
});

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listening) await new Promise((resolve) => server.close(resolve));
  return listening;
}
