import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestUser } from '../../support/test-user.ts';
import { errorOf, stepsOf, summaryOf } from '../support/connected.ts';
import { ALICE, machineWithBoth, PROVIDER, SERVICE, shell } from '../support/mocks.ts';
import type { Machine, Run, RunOptions } from '../support/run-cli.ts';

const MCP = `${SERVICE}/mcp`;
const SECRET = 'a-secret-at-the-service';
const AT_PROVIDER = 'another-secret-at-the-provider';
const CLIENT = `--client-id app --provider ${PROVIDER}`;

let folder: string;
let secret: string;
let providerSecret: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  secret = join(folder, 'service.txt');
  providerSecret = join(folder, 'provider.txt');
  writeFileSync(secret, `${SECRET}\n`);
  writeFileSync(providerSecret, `${AT_PROVIDER}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Both know clients of their own: the app has another id and secret at each. */
const KNOWN = {
  provider: {
    clients: [{ id: 'app-at-provider', secret: AT_PROVIDER }],
    clientMapping: [{ client: 'app-at-provider', audience: SERVICE, id: 'app' }],
    audiences: [SERVICE],
  },
  service: { clients: [{ id: 'app', secret: SECRET }] },
};

/** A user who follows each link that the program shows, signs in, and comes back to it. */
async function world(options: Parameters<typeof machineWithBoth>[0] = {}) {
  const machine = await machineWithBoth(options);
  const run = shell(machine);
  const seen = {
    links: [] as string[],
    requests: [] as { url: string; body: string; by: string }[],
  };
  for (const [origin, serve] of [...machine.servers]) {
    machine.servers.set(origin, async (request) => {
      const body = await request.clone().text();
      const by = request.headers.get('authorization') ?? '';
      seen.requests.push({ url: request.url, body, by });
      return serve(request);
    });
  }
  const signsIn = (line: string, more: RunOptions = {}): Promise<Run> =>
    run(line, {
      ...more,
      meanwhile: (live) => {
        machine.onSleep = async () => {
          const printed = live.stderr.text + live.stdout.text;
          const link = /http:\/\/[^\s"]+\/oauth2\/authorize\?[^\s"]+/.exec(printed)?.[0];
          if (link === undefined) return;
          machine.onSleep = undefined;
          seen.links.push(link);
          await follow(machine, link);
        };
      },
    });
  return { machine, run, seen, signsIn };
}

async function follow(machine: Machine, link: string): Promise<void> {
  const provider = machine.servers.get(PROVIDER);
  if (provider === undefined) throw new Error('No provider answers.');
  const user = new TestUser(async (request) => provider(request));
  await user.openSignedIn(`${PROVIDER}/login`, ALICE);
  const location = (await user.request(link)).headers.get('location');
  expect(machine.loopback.bring(String(location))).toBe(true);
}

describe('connect --client-id', () => {
  it('signs in, exchanges, redeems and calls, and the second time does nothing of it', async () => {
    const { seen, signsIn, run } = await world();
    const first = await signsIn(`connect ${MCP} ${CLIENT} --client-secret @${secret}`);
    expect([first.code, first.stderr.match(/^✓ .*$/gm)]).toEqual([
      0,
      [
        `✓ Found Test Service at ${MCP}.`,
        `✓ Signed in at ${PROVIDER} as ${ALICE}.`,
        '✓ It lets the client app in there for api.read (ID-JAG).',
        '✓ Got a token for api.read, valid for 1 hour.',
        '✓ POST /mcp answered 200.',
      ],
    ]);
    expect(first.stdout).toContain('Connected to Test Service.');
    seen.requests.length = 0;
    const again = await run(`connect ${MCP} ${CLIENT} --json`);
    expect([again.code, stepsOf(again)]).toEqual([0, ['discover', 'token', 'call', 'summary']]);
    expect(summaryOf(again)).toMatchObject({ status: 'connected', already: true });
    expect(seen.requests.filter(({ url }) => url.endsWith('/oauth2/token'))).toEqual([]);
    const status = await run('status');
    expect(status.stdout).toContain(`client app, by ${PROVIDER}`);
    expect(status.stdout).not.toMatch(/identity_assertion|dialect/);
    // It revokes as the client that it is.
    expect((await run('revoke')).code).toBe(0);
  });

  it('keeps the good secret where a wrong one is given later', async () => {
    const { run, signsIn } = await world({ service: KNOWN.service });
    await signsIn(`connect ${MCP} ${CLIENT} --client-secret @${secret}`);
    const wrong = join(folder, 'wrong-later.txt');
    writeFileSync(wrong, 'wrong');
    const refused = await run(`connect ${MCP} ${CLIENT} --client-secret @${wrong} --json`);
    expect([refused.code, errorOf(refused).code]).toEqual([5, 'invalid_client']);
    // It takes the secret to get another token.
    expect((await run(`token --renew --service ${MCP}`)).code).toBe(0);
  });

  it('is gone on with by a bare connect, and by a path below it after another service was used', async () => {
    const { run, signsIn } = await world({ service: KNOWN.service });
    await signsIn(`connect ${MCP} ${CLIENT} --client-secret @${secret}`);
    const bare = await run('connect --no-wait --json');
    expect([bare.code, stepsOf(bare)]).toEqual([0, ['discover', 'token', 'call', 'summary']]);
    expect(summaryOf(bare)).toMatchObject({ already: true, registration: { provider: PROVIDER } });
    expect((await run(`connect ${SERVICE}`)).stderr).toContain('Registered anonymously');
    expect((await run('call /api/resource')).code).toBe(0);
    // The token was taken: it is the body that is missing.
    expect((await run('call /mcp -X POST')).stderr).toContain('answered 415.');
    // What was asked for is a registration.
    const email = await run(`connect ${MCP} --email ${ALICE} --no-wait`);
    expect([email.code, email.stderr]).toEqual([
      8,
      expect.stringContaining('registered anonymously'),
    ]);
  });

  it('takes the user to a new sign-in where both servers forgot everything', async () => {
    const { machine, run, seen, signsIn } = await world();
    await signsIn(`connect ${MCP} ${CLIENT} --client-secret @${secret}`);
    seen.links.length = 0;
    for (const [origin, serve] of (await machineWithBoth()).servers) {
      machine.servers.set(origin, serve);
    }
    const called = await run(`call ${MCP} -X POST --json`);
    expect([called.code, errorOf(called)]).toMatchObject([
      4,
      { code: 'login_needed', next: { line: expect.stringContaining('--client-id app') } },
    ]);
    expect(errorOf(called).next).toMatchObject({
      line: expect.stringContaining(`provider login ${PROVIDER}`),
    });
    const asked = await run(`connect ${MCP} ${CLIENT} --no-wait --json`);
    expect([asked.code, errorOf(asked).code]).toEqual([8, 'login_required']);
    // The provider wants the user's password again: nobody types it here, so that the wait ends.
    const again = await signsIn(`connect ${MCP} ${CLIENT}`);
    const link = new URL(String(seen.links.at(-1)));
    expect(link.searchParams.get('client_id')).toBe('app');
    expect(again.stderr).toContain(`Next: agent-auth provider login ${PROVIDER} --client-id app`);
    expect(again.stderr).not.toMatch(/Got a token|The token is over/);
  });

  it('asks for the provider where none is named, none was used and no mock runs', async () => {
    const { run, seen } = await world();
    const done = await run(`connect ${MCP} --client-id app --client-secret @${secret} --json`);
    expect([done.code, errorOf(done).code]).toEqual([2, 'provider_missing']);
    expect(errorOf(done).next).toMatchObject({ line: expect.stringContaining('--provider URL') });
    expect(seen.requests.filter(({ url }) => url.includes('/oauth2/'))).toEqual([]);
  });

  it('has id and secret of its own at each of two servers, and sends neither to the other', async () => {
    const { seen, signsIn, run } = await world(KNOWN);
    const login = `provider login ${PROVIDER} --client-id app-at-provider --flow browser`;
    const signedIn = await signsIn(`${login} --client-secret @${providerSecret}`);
    expect([signedIn.code, signedIn.stderr]).toEqual([0, expect.stringContaining('Sign in at')]);
    const done = await run(`connect ${MCP} --client-id app --client-secret @${secret} --json`);
    expect([done.code, stepsOf(done)]).toEqual([
      0,
      ['discover', 'exchange', 'token', 'call', 'summary'],
    ]);
    const shown = (secretOf: string) => {
      const encoded = (id: string) => Buffer.from(`${id}:${secretOf}`).toString('base64');
      const ways = [secretOf, encoded('app'), encoded('app-at-provider')];
      const sent = seen.requests.filter(({ body, by, url }) =>
        ways.some((way) => `${url} ${body} ${by}`.includes(way)),
      );
      return new Set(sent.map(({ url }) => new URL(url).origin));
    };
    expect(shown(SECRET)).toEqual(new Set([SERVICE]));
    expect(shown(AT_PROVIDER)).toEqual(new Set([PROVIDER]));
    for (const text of [signedIn.stdout + signedIn.stderr, done.stdout + done.stderr]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(AT_PROVIDER);
    }
  });

  it('signs in by a code on another device, and mints as the same client', async () => {
    const { machine, run } = await world({
      ...KNOWN,
      provider: { ...KNOWN.provider, autoApprove: ALICE },
    });
    const client = `--client-id app-at-provider --client-secret @${providerSecret}`;
    const login = await run(`provider login ${PROVIDER} ${client} --flow device`);
    expect([login.code, login.stderr]).toEqual([0, expect.stringContaining('/device')]);
    const done = await run(`connect ${MCP} --client-id app --client-secret @${secret}`);
    expect(done.code).toBe(0);
    machine.clock.advance(24 * 60 * 60 * 1000);
    // By the refresh token: nobody is asked again.
    expect((await run(`connect ${MCP} --client-id app`)).code).toBe(0);
  });

  it('comes back to the port that is named, once nothing else listens there', async () => {
    const { machine, run, seen, signsIn } = await world(KNOWN);
    const login = `provider login ${PROVIDER} --client-id app-at-provider --redirect-port 8123`;
    const odd = await run(`${login} --flow device`);
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('--redirect-port')]);
    const other = await machine.loopback.listen('http://127.0.0.1:8123/callback');
    const taken = await run(`${login} --client-secret @${providerSecret}`);
    expect([taken.code, taken.stderr]).toEqual([
      1,
      expect.stringMatching(/End what .* another port/),
    ]);
    await other.close();
    const done = await signsIn(`${login} --client-secret @${providerSecret}`);
    expect(done.code).toBe(0);
    const [link = ''] = seen.links;
    expect(new URL(link).searchParams.get('redirect_uri')).toBe('http://127.0.0.1:8123/callback');
  });

  it('says before the sign-in that the provider has no secret (it was said only after it)', async () => {
    const provider = { ...KNOWN.provider, clients: [{ id: 'app', secret: AT_PROVIDER }] };
    const { signsIn } = await world({ ...KNOWN, provider });
    const done = await signsIn(`connect ${MCP} ${CLIENT} --client-secret @${secret}`);
    expect(done.code).toBe(5);
    expect(done.stderr).toMatch(
      /The secret of this client is for the service alone\..*provider login[\s\S]*\/oauth2\/authorize/,
    );
  });

  it.each([
    [SERVICE, { service: KNOWN.service }, 'connect'],
    [PROVIDER, { provider: { clients: KNOWN.provider.clients } }, 'provider login'],
  ])(
    'says that %s does not know the client, and which id to give there',
    async (at, known, next) => {
      const { run, signsIn } = await world(known);
      const wrong = join(folder, 'wrong.txt');
      writeFileSync(wrong, 'wrong');
      if (at === PROVIDER) {
        await run(
          `provider login ${PROVIDER} --client-id app-at-provider --client-secret @${wrong} --no-wait --flow browser`,
        );
      }
      const done = await signsIn(`connect ${MCP} ${CLIENT} --client-secret @${wrong} --json`);
      expect(done.code).toBe(5);
      const { code, message, next: step } = errorOf(done);
      expect(code).toBe('invalid_client');
      expect(message).toContain(at);
      expect(step).toMatchObject({
        line: expect.stringContaining(`${next} `),
        needs: ['ID', '@FILE'],
      });
    },
  );
});
