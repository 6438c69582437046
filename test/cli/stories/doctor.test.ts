import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkNode } from '../../../src/cli/doctor/check-program.ts';
import { NetworkError, type NetworkErrorCode } from '../../../src/runtime/ports.ts';
import { step } from '../../support/step.ts';
import { testFolder } from '../../support/test-folder.ts';
import { ALICE, registered, SERVICE } from '../support/mocks.ts';
import { newMachine, type Run, type RunOptions, runCli } from '../support/run-cli.ts';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly summary: string;
  readonly hint: string | null;
  readonly next: string | null;
  readonly details: Record<string, unknown>;
}

const checksOf = (run: Run): readonly Check[] => run.json()[0]?.['checks'] as Check[];
const find = (run: Run, id: string): Check | undefined =>
  checksOf(run).find((check) => check.id === id);

const doctor = async (machine = newMachine(), line = '', options: RunOptions = {}) =>
  runCli(machine, `doctor ${line} --json`.split(' ').filter(Boolean), options);

describe('doctor', () => {
  it('finds nothing wrong where nothing is', async () => {
    const { machine, run } = await registered();
    const { code, stdout, stderr } = await run('doctor');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('No problems found.');
    const ran = await doctor(machine);
    expect(ran.json()[0]).toMatchObject({ schema: 'agent-auth.doctor/1', status: 'ok' });
    expect(checksOf(ran).map(({ id, status }) => `${id} ${status}`)).toEqual([
      'version ok',
      'node ok',
      'platform ok',
      'credentials ok',
      'lock ok',
      'runtime_folder ok',
      'mocks ok',
      'environment ok',
      'browser ok',
      'proxy ok',
      'ca ok',
      'service ok',
      'connection ok',
      'hop ok',
      'hop ok',
      'discovery ok',
      'clock ok',
      'registration ok',
    ]);
  });

  it('changes nothing, and asks for nothing but metadata', async () => {
    const { machine } = await registered();
    const before = JSON.stringify(await machine.store.read());
    const asked: string[] = [];
    const service = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return service?.(request) ?? new Response();
    });
    machine.clock.advance(7_200_000);
    await doctor(machine);
    expect(asked).toEqual([
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-authorization-server',
    ]);
    expect(JSON.stringify(await machine.store.read())).toBe(before);
  });

  it('looks at the service that is named, as every command does', async () => {
    const { machine } = await registered();
    expect(find(await doctor(machine, '127.0.0.1:4800'), 'service')?.details).toEqual({
      address: `${SERVICE}/`,
    });
    const env = { AGENT_AUTH_SERVICE: 'https://elsewhere.example' };
    expect(find(await doctor(machine, '', { env }), 'service')?.details).toEqual({
      address: 'https://elsewhere.example/',
    });
  });

  it('has nothing against a machine that used no service yet', async () => {
    const ran = await doctor();
    expect(ran.code).toBe(0);
    expect(find(ran, 'service')).toMatchObject({
      status: 'warn',
      next: step('agent-auth mock up'),
    });
  });

  it.each<[NetworkErrorCode, string, string, string]>([
    ['not_found', 'https://service.example', 'dns', 'does not resolve'],
    ['refused', 'https://service.example', 'connection', 'does not answer'],
    ['timeout', SERVICE, 'connection', 'does not answer'],
    ['tls', 'https://service.example', 'tls', 'not trusted'],
    ['not_tls', 'https://service.example', 'tls', 'does not speak TLS'],
    ['proxy', 'https://service.example', 'connection', 'proxy'],
  ])('tells at which step the network fails, and exits 7: %s', async (code, url, id, text) => {
    const network = () => Promise.reject(new NetworkError(code, 'the proxy said no'));
    const ran = await doctor({ ...newMachine(), network }, url);
    expect(ran.code).toBe(7);
    const failures = checksOf(ran).filter(({ status }) => status === 'fail');
    expect(failures.map((check) => check.id)).toEqual([id]);
    expect(failures[0]?.summary).toContain(text);
    expect(failures[0]?.hint).not.toBeNull();
  });

  it('shows how far discovery comes, and exits 1 when it does not come through', async () => {
    const { machine } = await registered();
    machine.servers.set(
      'http://127.0.0.1:9',
      () => new Response('{}', { headers: { 'content-type': 'application/json' } }),
    );
    const ran = await doctor(machine, 'http://127.0.0.1:9');
    expect(ran.code).toBe(1);
    expect(find(ran, 'hop')).toMatchObject({ status: 'fail', details: { http_status: 200 } });
    expect(find(ran, 'discovery')).toMatchObject({ status: 'fail' });
    expect(find(ran, 'connection')).toMatchObject({ status: 'ok' });
  });

  it('sends whoever mends the documents to lint, after the last of what breaks a rule', async () => {
    const { machine } = await registered();
    const service = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, async (request) => {
      const answer = await service?.(request);
      if (!request.url.endsWith('oauth-authorization-server')) return answer ?? new Response();
      const { agent_auth, ...metadata } = Object(await answer?.json());
      const { identity_endpoint: register_uri } = agent_auth;
      return Response.json({ ...metadata, agent_auth: { register_uri } });
    });
    const rules = checksOf(await doctor(machine)).filter(({ id }) => id === 'rule');
    expect(rules.length).toBeGreaterThan(1);
    expect(rules.at(-1)?.next).toEqual(step(`agent-auth lint ${SERVICE}`));
    expect(rules.slice(0, -1).map(({ next }) => next)).toEqual(rules.slice(1).map(() => null));
  });

  it('compares the clocks', async () => {
    const { machine } = await registered();
    const service = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, async (request) => {
      const answer = await service?.(request);
      const headers = new Headers(answer?.headers);
      headers.set('date', new Date(machine.clock.now() + 660_000).toUTCString());
      return new Response(answer?.body, { status: answer?.status ?? 200, headers });
    });
    const ran = await doctor(machine);
    expect(ran.code).toBe(0);
    expect(find(ran, 'clock')).toMatchObject({
      status: 'warn',
      summary: "The server's clock is 11 minutes ahead of the clock here.",
      details: { offset_ms: 660_000 },
    });
  });

  it('says where the registration stands', async () => {
    const { machine, run } = await registered(`claim --email ${ALICE} --no-wait`);
    expect(find(await doctor(machine), 'registration')).toMatchObject({
      status: 'warn',
      next: step('agent-auth claim wait'),
      details: { state: 'pending' },
    });
    await run('forget');
    expect(find(await doctor(machine, SERVICE), 'registration')).toMatchObject({
      status: 'warn',
      next: step(`agent-auth register ${SERVICE}`),
    });
  });

  it('names the variables that are set, and no secret of theirs', async () => {
    const { machine } = await registered();
    const env = {
      AGENT_AUTH_TOKEN: 'at_s3cret',
      AGENT_AUTH_SERVICE: `${SERVICE}?key=s3cret`,
      HTTPS_PROXY: 'http://user:s3cret@proxy.example:3128',
      no_proxy: 'internal.example',
      SOMETHING_ELSE: 's3cret',
    };
    const ran = await doctor(machine, '', { env });
    expect(find(ran, 'environment')?.details).toEqual({
      variables: expect.arrayContaining([
        { name: 'AGENT_AUTH_TOKEN', value: null },
        { name: 'AGENT_AUTH_SERVICE', value: `${SERVICE}/?key=***` },
        { name: 'HTTPS_PROXY', value: 'http://proxy.example:3128/' },
        { name: 'no_proxy', value: 'internal.example' },
      ]),
    });
    expect(find(ran, 'environment_token')).toMatchObject({ status: 'warn' });
    expect(find(ran, 'proxy')).toMatchObject({
      details: { proxy: 'proxy.example:3128', variable: 'HTTPS_PROXY' },
    });
    expect(ran.stdout).not.toContain('s3cret');
  });

  it('fails for an authority that is none, and goes no further; a proxy that is none is told', async () => {
    const proxied = await doctor(newMachine(), SERVICE, { env: { HTTPS_PROXY: 'socks5://p' } });
    expect(find(proxied, 'proxy')?.status).toBe('fail');
    // This machine is reached without a proxy: there nothing listens, which is all that is wrong.
    expect(proxied.code).toBe(7);
    expect(find(proxied, 'service')).toBeDefined();
    const trusted = await doctor(newMachine(), `${SERVICE} --ca /nonexistent.pem`);
    expect([trusted.code, find(trusted, 'ca')?.status]).toEqual([1, 'fail']);
    expect(find(trusted, 'service')).toBeUndefined();
  });

  it.each([
    ['that others can look into', { folderMode: 0o755 }, 'credentials_folder', 'warn', 0],
    ['that cannot be written', { writable: false }, 'credentials_writable', 'fail', 1],
    ['that is locked', { lock: 'held' }, 'lock', 'warn', 0],
    ['whose lock was left', { lock: 'abandoned' }, 'lock', 'ok', 0],
  ] as const)(
    'looks at a credential folder %s',
    async (_what, credentialPlace, id, status, code) => {
      const { machine } = await registered();
      const ran = await doctor(machine, '', { credentialPlace });
      expect([ran.code, find(ran, id)?.status]).toEqual([code, status]);
    },
  );

  it('fails for credentials that cannot be used, with the same words as every command', async () => {
    const { machine } = await registered();
    const broken = {
      ...machine,
      store: { ...machine.store, read: () => Promise.reject(new Error('broken')) },
    };
    const ran = await doctor(broken, SERVICE);
    expect(ran.code).toBe(1);
    expect(find(ran, 'credentials')?.status).toBe('fail');
  });

  it('warns of a runtime folder that is not closed', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'agent-auth'));
    chmodSync(join(folder, 'agent-auth'), 0o755);
    const ran = await doctor(newMachine(), '', { env: { XDG_RUNTIME_DIR: folder } });
    expect(find(ran, 'runtime_folder')).toMatchObject({
      status: 'warn',
      details: { mode: '0755' },
    });
  });

  it.each([
    ['20.19.0', 'ok'],
    ['24.0.1', 'ok'],
    ['22.13.0', 'ok'],
    ['22.2.0', 'fail'],
    ['21.7.3', 'fail'],
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
  ])('judges Node %s: %s', (version, status) => {
    expect(checkNode(version, '^20.19.0 || ^22.13.0 || >=24').status).toBe(status);
  });
});
