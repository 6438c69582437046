import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { RuntimeFiles } from '../../../src/cli/shell/runtime-files.ts';
import { createTestWorld, type TestWorld } from '../../../src/testing/testing.ts';
import { testFolder } from '../../support/test-folder.ts';
import { PROVIDER, SERVICE, shell } from '../support/mocks.ts';
import { newMachine } from '../support/run-cli.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';

let home: string;
beforeEach(() => {
  home = testFolder();
});

/** A test world that a shell finds as `mock up`. */
async function mockUp() {
  const control = { token: TOKEN };
  const world = await createTestWorld({
    service: { baseUrl: SERVICE, control },
    provider: { baseUrl: PROVIDER, control },
  });
  onTestFinished(() => world.close());
  const machine = newMachine();
  machine.servers.set(SERVICE, world.service.fetch).set(PROVIDER, world.provider.fetch);
  const environment = readEnvironment(
    { XDG_RUNTIME_DIR: home },
    { platform: 'linux', inContainer: () => false },
  );
  new RuntimeFiles(environment).write({
    ...{ pid: process.pid, started: 1, service: SERVICE, provider: PROVIDER, ca: null },
    control: { ...control, service: SERVICE, provider: PROVIDER },
  });
  const typed = shell(machine);
  return { world, run: (line: string) => typed(line, { env: { XDG_RUNTIME_DIR: home } }) };
}

/** The agent asks for an ID-JAG, for which its user has to consent. */
async function ask({ fetch }: TestWorld, idToken: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${PROVIDER}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      subject_token: idToken,
      audience: SERVICE,
      client_id: 'agent-auth',
    }),
  });
  return (await response.json()) as Record<string, unknown>;
}

it('mock sign-in decides how users sign in by authorization code', async () => {
  const { run, world } = await mockUp();
  expect((await run('mock sign-in')).stdout).toContain('users sign in on the page');
  const as = await run('mock sign-in --as carol@example.com --json');
  expect(as.json()).toEqual([
    {
      schema: 'agent-auth.mock-sign-in/1',
      provider: PROVIDER,
      kind: 'approve',
      email: 'carol@example.com',
    },
  ]);
  expect((await run('mock sign-in --deny')).code).toBe(0);
  await expect(world.signIn()).rejects.toThrow('access_denied');
  expect((await run('mock sign-in --deny --ask')).code).toBe(2);
  expect((await run('mock sign-in --as carol')).code).toBe(2);
});

it('mock consent answers the only open request, or the one that is named', async () => {
  const { run, world } = await mockUp();
  const { idToken } = await world.signIn({ client: 'agent-auth' });
  expect((await run('mock consent')).stdout).toContain('asks nobody for consent');
  expect((await run('mock consent --deny')).code).toBe(2);
  await ask(world, idToken);
  expect((await run('mock consent --expire')).code).toBe(0);
  expect((await run('mock consent csr_none --approve')).code).toBe(1);
  await ask(world, idToken);
  expect((await run('mock consent --deny --json')).json()).toMatchObject([
    { provider: PROVIDER, requests: [{ email: 'alice@example.com', state: 'denied' }] },
  ]);
  expect(await ask(world, idToken)).toMatchObject({ error: 'access_denied' });
  await ask(world, idToken);
  const [request] = await world.provider.controls.consentRequests();
  expect((await run(`mock consent ${request?.id}`)).code).toBe(2);
  expect((await run(`mock consent ${request?.id} --approve`)).stdout).toContain('approved');
  expect((await run(`mock consent ${request?.id} --deny`)).code).toBe(5);
  expect(await ask(world, idToken)).toMatchObject({ token_type: 'N_A' });
});

it.each([
  ['/sign-in', { kind: 'approve' }, 400],
  ['/sign-in', { kind: 'deny', email: 'alice@example.com' }, 400],
  ['/sign-in', { kind: 'approve', email: 'alice' }, 400],
  ['/consents/csr_none/approve', {}, 404],
  ['/consents/csr_none/forget', {}, 404],
])('POST /__mock%s with %j is %i, and changes nothing', async (path, body, status) => {
  const { world } = await mockUp();
  const answer = await world.fetch(`${PROVIDER}/__mock${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(status);
  expect(await world.provider.controls.signIn()).toEqual({ kind: 'ask' });
});

it.each([
  [PROVIDER, '/tokens/end', { clientId: 'app' }],
  [PROVIDER, '/clients/set', { id: 'app', secret: 'a-test-secret', redirectUris: [] }],
  [PROVIDER, '/mint', { email: 'alice@example.com', audience: SERVICE, clientId: 'app' }],
  [SERVICE, '/trust', { issuer: 'https://other.example', jwksUri: 'https://other.example/keys' }],
])('a misspelled member was left out unseen: %s/__mock%s', async (mock, path, body) => {
  const { world } = await mockUp();
  const answer = await world.fetch(`${mock}/__mock${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('nothing else'),
  ]);
  expect(await world.provider.controls.audit()).toEqual([]);
  expect(await world.service.controls.audit()).toEqual([]);
});
