import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveMock } from '../../../../src/cli/mock/servers/serve-mock.ts';
import { FakeClock } from '../../../../src/runtime/fake.ts';
import { silentLog } from '../../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';
import { FakeProvider } from '../../../mock-service/harness.ts';
import { nextLike, step } from '../../../support/step.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { TestUser } from '../../../support/test-user.ts';
import { ALICE } from '../../support/mocks.ts';
import { type Live, type Machine, newMachine, type Run, runCli } from '../../support/run-cli.ts';
import { serving as servingOn } from '../../support/serving.ts';

const network = createSystemFetch();
let runtime: string;
let machine: Machine;
beforeEach(() => {
  runtime = testFolder();
  machine = { ...newMachine(), network };
});

const run = (line: string): Promise<Run> =>
  runCli(machine, line.split(' '), { env: { XDG_RUNTIME_DIR: runtime } });

/** Runs a server command, `during` once it is ready, then stops it as Ctrl-C does. */
const serving = (
  line: string,
  during: (ready: Record<string, unknown>, live: Live) => Promise<void>,
): Promise<Run> =>
  servingOn(
    machine,
    `${line} --json`.split(' '),
    { XDG_RUNTIME_DIR: runtime },
    async (ready, live) => during(JSON.parse(ready), live),
  );

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

  it('hands the agent no dialect: it finds out by itself', async () => {
    const { stdout } = await serving('mock service --port 0 --dialect nested', async () => {});
    expect(stdout).toContain('agent-auth connect http');
    expect(stdout).not.toContain('--dialect');
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
        live: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/__live\?ticket=[\w-]{22}$/),
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

  it('is refused a file that another mock uses, by the URL of that one', async () => {
    const file = join(runtime, 'mock.db');
    await serving(`mock up --port 0 --db ${file}`, async ({ service }) => {
      const { code, json } = await run(`mock service --port 0 --db ${file} --json`);
      expect(code).toBe(2);
      expect(json()).toMatchObject([
        { error: { code: 'database_in_use', message: expect.stringContaining(String(service)) } },
      ]);
    });
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

  it.each([
    ['mock service --port 6000', 6000],
    ['mock up --port 5999', 6000],
    ['mock provider --config FILE', 6667],
  ])('listened where no client that uses fetch reaches it: %s', async (typed, port) => {
    const config = join(runtime, 'mock.yaml');
    writeFileSync(config, 'port: 6667\n');
    const line = typed.replace('FILE', config);
    const { code, json } = await run(`${line} --json`);
    const [answer] = json();
    expect(code).toBe(2);
    expect(answer).toMatchObject({
      error: {
        code: 'listen_bad_port',
        message: `127.0.0.1 port ${port} is one that fetch refuses (WHATWG fetch, "bad port"); use another port.`,
        next: step(
          line.includes('--port')
            ? `agent-auth ${line.replace(/\d+$/, String(answer?.['free_port']))} --json`
            : `agent-auth ${line} --json --port ${answer?.['free_port']}`,
        ),
      },
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
    ['a lifetime that is no duration', '--lifetime userCode=soon', 'userCode cannot be "soon"'],
    ['a lifetime of nothing', '--lifetime userCode=0s', 'userCode cannot be "0s"'],
    ['a lifetime of ages', '--lifetime userCode=99999d', 'userCode cannot be "99999d"'],
    ['a vendor label that is none', '--port 0 --vendor ä', 'letters, digits'],
    ['a base URL that is no origin', '--port 0 --base-url http://localhost/x', 'without a path'],
    ['a trusted issuer that is no URL', '--trust http://example.com', 'https'],
    ['a type that there is not', '--type nobody', 'anonymous'],
  ])('exits 2 for %s', async (_case, options, text) => {
    const { code, stdout, stderr } = await run(`mock service ${options}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });

  it('says in one line that a database cannot be used', async () => {
    const { code, stderr } = await run(`mock service --db ${runtime}`);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each(['--db', 'AGENT_AUTH_DB'])('refuses a file of %s in no folder', async (option) => {
    const file = join(runtime, 'no/such/x.db');
    const words = option === '--db' ? ['--db', file] : [];
    const env = { XDG_RUNTIME_DIR: runtime, ...(option !== '--db' && { AGENT_AUTH_DB: file }) };
    const { code, stderr } = await runCli(machine, ['mock', 'service', ...words], { env });
    const message = `✗ The folder of the ${option} file ${file} does not exist.`;
    expect([code, stderr.split('\n')[0]]).toEqual([2, message]);
  });
});

describe('a provider whose answer never ends', () => {
  afterEach(() => vi.useRealTimers());

  it('holds up who registers for five seconds, then it is named', async () => {
    const hanging = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"issuer":');
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const asked = new Promise((resolve) => hanging.once('request', resolve));
    const provider = new FakeProvider(new FakeClock());
    await provider.addKey('key-1');
    const assertion = await provider.idJag({ iss: issuer });
    try {
      await serving(`mock service --port 0 --trust ${issuer}`, async ({ service }) => {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        const answer = fetch(`${service}/agent/identity`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ type: 'identity_assertion', assertion }),
        });
        await asked;
        await vi.advanceTimersByTimeAsync(5_000);
        const response = await answer;
        expect(response.status).toBe(503);
        const { error_description: told } = (await response.json()) as Record<string, unknown>;
        expect(told).toContain(`${issuer}/.well-known/oauth-authorization-server`);
        vi.useRealTimers();
      });
    } finally {
      hanging.closeAllConnections();
      hanging.close();
    }
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

  it('mints for any and calls one by its name, as its file says', async () => {
    const file = join(runtime, 'provider.yaml');
    const named = '{ issuer: https://a.example, name: Acme API }';
    writeFileSync(file, `auto_approve: ${ALICE}\naudiences: [any, ${named}]\n`);
    await serving(`mock provider --port 0 --config ${file}`, async ({ provider }) => {
      await run(`provider login ${provider}`);
      expect((await run('provider mint --audience https://b.example')).code).toBe(0);
      expect((await run('provider mint --audience https://a.example')).code).toBe(0);
      const user = new TestUser(fetch);
      expect((await user.openSignedIn(`${provider}/consents`, ALICE)).text).toContain('Acme API');
    });
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

  it.each([
    ['any service', '', 0],
    ['its own and the named ones', ' --audience https://a.example', 5],
  ])('mints for %s', async (_what, option, code) => {
    const line = `mock up --port 0 --auto-approve ${ALICE}${option}`;
    await serving(line, async ({ provider, service }) => {
      await run(`provider login ${provider}`);
      expect((await run(`provider mint --audience ${service}`)).code).toBe(0);
      expect((await run('provider mint --audience https://a.example')).code).toBe(0);
      expect((await run('provider mint --audience https://b.example')).code).toBe(code);
    });
  });

  it('calls its service by its name where the user consents', async () => {
    await serving('mock up --port 0', async ({ provider, service }) => {
      const user = new TestUser(fetch);
      const device = await fetch(`${provider}/oauth2/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'agent-auth', audience: String(service) }),
      });
      const { verification_uri_complete: link } = (await device.json()) as Record<string, string>;
      const { text } = await user.openSignedIn(String(link), ALICE);
      expect(text).toContain('Example Service');
      expect(text).toContain(String(service));
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

describe('mock exchanges', () => {
  it('shows what both mocks of a process were asked, in one order', async () => {
    await serving('mock up --port 0', async ({ service, provider }) => {
      await run(`register ${service} --type anonymous`);
      await run(`provider login ${provider} --no-wait`);
      const { code, json } = await run('mock exchanges --json');
      const [{ exchanges, ...page } = { exchanges: [] }] = json();
      expect([code, page]).toEqual([
        0,
        { schema: 'agent-auth.mock-exchanges/1', dropped: 0, transcript: null },
      ]);
      const seen = exchanges as Record<string, Record<string, unknown>>[];
      expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
      expect(new Set(seen.map(({ to }) => to))).toEqual(new Set(['service', 'provider']));
      const registered = seen.find(({ path }) => String(path) === '/agent/identity');
      expect(registered).toMatchObject({
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        method: 'POST',
        status: 200,
        registration_id: expect.stringMatching(/^reg_/),
        request: { body: { type: 'anonymous' }, body_state: 'whole' },
        response: { body: { claim_token: expect.stringMatching(/^secret~/) } },
      });

      const ofProvider = (await run('mock exchanges provider')).stdout.trim().split('\n');
      expect(ofProvider.every((line) => line.includes(' provider '))).toBe(true);
      expect(ofProvider.at(-1)).toMatch(
        /provider +200 +POST +\d+ ms +\/oauth2\/device_authorization/,
      );
      const last = seen.length - 1;
      const { stdout } = await run(`mock exchanges --since ${last}`);
      expect(stdout.trim().split('\n')).toHaveLength(1);
    });
  });

  it('writes a transcript that is the same at other servers', async () => {
    const written: string[] = [];
    for (const name of ['one.json', 'other.json']) {
      machine = { ...newMachine(), network };
      const file = join(runtime, name);
      await serving('mock up --port 0', async ({ service }) => {
        await run(`register ${service} --type service_auth --email ${ALICE}`);
        const { code, stdout } = await run(`mock exchanges --transcript ${file}`);
        expect([code, stdout]).toEqual([
          0,
          expect.stringMatching(/^The transcript is in .*\. Exchanges: \d+\.\n$/),
        ]);
      });
      written.push(readFileSync(file, 'utf8'));
    }
    expect(written[1]).toBe(written[0]);
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ transcript: 1 });
    expect(written[0]).toContain('"login_hint": "alice@example.com"');
  });

  it('says so where a transcript cannot be written, before anything else', async () => {
    const { code, stderr } = await run(`mock exchanges --transcript ${runtime}/no/where.json`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
  });

  it.each([
    ['an option', '--exchanges 2', ''],
    ['a key of the file', '', 'exchanges: 2'],
  ])(
    'knows the last ones, as many as %s says, and tells that others are gone',
    async (_by, option, text) => {
      const config = join(runtime, 'mock.yaml');
      writeFileSync(config, text);
      const line = `mock service --port 0 --config ${config} ${option}`.trim();
      await serving(line, async ({ service }) => {
        for (const path of ['/1', '/2', '/3']) await (await network(`${service}${path}`)).text();
        const { json } = await run('mock exchanges --json');
        expect(json()[0]).toMatchObject({
          exchanges: [{ path: '/2' }, { path: '/3' }],
          dropped: 1,
        });
        expect((await run('mock exchanges')).stderr).toContain(
          'Earlier exchanges are no longer kept: 1.',
        );
        await run('mock reset');
        expect((await run('mock exchanges')).stdout).toBe('No requests yet.\n');
      });
    },
  );

  it('says that nothing is recorded with --exchanges 0', async () => {
    await serving('mock service --port 0 --exchanges 0', async () => {
      const { code, stderr } = await run('mock exchanges');
      expect([code, stderr]).toEqual([5, expect.stringContaining('Exchanges are not recorded')]);
    });
  });

  it.each(['-1', '1.5', 'all', '1000001'])('refuses --exchanges %s', async (value) => {
    const { code, stderr } = await run(`mock service --port 0 --exchanges ${value}`);
    expect(code).toBe(2);
    expect(stderr).toContain('--exchanges');
    expect(stderr).toContain(value);
    expect(stderr).toContain('Use a whole number from 0 to 1000000.');
  });

  it('refuses exchanges: many in a file, with its place', async () => {
    const config = join(runtime, 'mock.yaml');
    writeFileSync(config, 'port: 0\nexchanges: many\n');
    const { code, stderr } = await run(`mock service --config ${config}`);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/mock\.yaml:2:12 .*whole number from 0 to 1000000/),
    ]);
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
