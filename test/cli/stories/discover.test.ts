import { describe, expect, it } from 'vitest';
import { step } from '../../support/step.ts';
import { registered, SERVICE } from '../support/mocks.ts';
import { type Handler, newMachine, runCli } from '../support/run-cli.ts';

describe('discover', () => {
  it('shows each hop and what is offered', async () => {
    const { run } = await registered();
    const { code, stdout } = await run(`discover ${SERVICE}/api/resource`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^.+: agents can register\n├─ asked\n│ {2}├─ 401 {2}GET http:\/\/127/);
    expect(stdout).toContain('├─ speaks flat, else nested: the first answer shows it');
    expect(stdout).toContain('anonymous, identity_assertion, service_auth');
    expect(stdout).toContain('No problems found.');
  });

  it.each(['discover', 'call', 'connect'])(
    'waited for as long as a service was silent: %s ends by its --timeout',
    async (command) => {
      const { machine, run } = await registered();
      machine.servers.set(
        'http://127.0.0.1:9',
        ({ signal }) =>
          new Promise((_answer, reject) => {
            if (signal.aborted) reject(signal.reason);
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      );
      const { code, json } = await run(`${command} http://127.0.0.1:9 --timeout 5s --yes --json`);
      expect(code).toBe(7);
      expect(json().at(-1)).toMatchObject({ error: { code: 'timeout', exit_code: 7 } });
    },
  );

  it('has a JSON form', async () => {
    const { run } = await registered();
    expect((await run('discover --json')).json()).toEqual([
      {
        schema: 'agent-auth.discover/1',
        service: expect.objectContaining({
          issuer: SERVICE,
          claim_grant_type: 'urn:vendor:agent-auth:grant-type:claim',
        }),
        recognition: expect.objectContaining({
          verdict: 'usable',
          dialects: ['flat', 'nested'],
          defects: [],
        }),
        hops: [
          expect.objectContaining({ step: 'resource_metadata', status: 200 }),
          expect.objectContaining({ step: 'server_metadata', status: 200 }),
        ],
        warnings: [],
        next: step(`agent-auth register ${SERVICE}`),
      },
    ]);
  });

  it('finds no problems only where it finds a service', async () => {
    const { machine, run } = await registered();
    const other = 'http://127.0.0.1:4970';
    // A resource whose own metadata names the server; the metadata of that server names another resource.
    machine.servers.set(other, ({ url }) =>
      url.includes('oauth-protected-resource')
        ? Response.json({ resource: `${other}/mcp`, authorization_servers: [SERVICE] })
        : new Response(null, { status: 404 }),
    );
    const { code, stdout, stderr } = await run(`discover ${other}/mcp`);
    expect([code, stdout.includes('No problems found.')]).toEqual([1, false]);
    expect(stderr).toContain(`not ${other}/mcp`);
  });

  it('shows how far it came when it fails', async () => {
    const { machine, run } = await registered();
    machine.servers.set(
      'http://127.0.0.1:9',
      () => new Response('<h1>no</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
    );
    const { code, json } = await run('discover http://127.0.0.1:9 --json');
    expect(code).toBe(1);
    expect(json()[0]).toMatchObject({
      error: { code: expect.any(String) },
      hops: expect.arrayContaining([expect.objectContaining({ status: 404 })]),
    });
  });

  it('leads whoever builds a service that publishes nothing yet to lint, from wherever they begin', async () => {
    const { machine, run } = await registered();
    const url = 'http://127.0.0.1:9';
    machine.servers.set(url, () => new Response('no', { status: 404 }));
    const said = {
      code: 'metadata_not_found',
      message: `Nothing for agents is published at ${url} yet.`,
      hint: expect.stringContaining('docs/make-a-service-agent-ready.md'),
      next: step(`agent-auth lint ${url}`),
    };
    expect((await run(`discover ${url} --json`)).json()[0]).toMatchObject({ error: said });
    const checks = (await run(`doctor ${url} --json`)).json()[0]?.['checks'] as {
      status: string;
    }[];
    // One fact is one failure, whatever was asked for.
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([
      expect.objectContaining({ summary: said.message, hint: said.hint, next: said.next }),
    ]);
  });

  it('prints one line for each request with --debug, and no query value', async () => {
    const { run } = await registered();
    const { stderr } = await run(`discover ${SERVICE}/api/resource?key=value --debug`);
    expect(stderr).toMatch(
      /debug {2}GET http:\/\/127\.0\.0\.1:4800\/api\/resource\?key=\*\*\* → 401 \(\d+ ms\)/,
    );
    expect(stderr).not.toContain('value');
  });

  it('shows on stderr what is there instead of a registration, as a tree', async () => {
    const machine = newMachine();
    machine.servers.set(AWAY, publishing({ agent_auth: { register_uri: `${AWAY}/contact` } }));
    const { code, stdout, stderr } = await runCli(machine, ['discover', AWAY]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').map((line) => line.trimEnd())).toEqual([
      `${AWAY}: published only, nothing to register at`,
      '├─ asked',
      expect.stringMatching(/^│ {2}├─ 404 {2}GET /),
      expect.stringMatching(
        /^│ {2}├─ 200 {2}GET .*an agent_auth block with nothing to register at$/,
      ),
      expect.stringMatching(/^│ {2}└─ 404 {2}GET .*auth\.md +no skill file$/),
      '├─ Nothing to register at: agent_auth.register_uri is a page for people (/contact).',
      expect.stringMatching(/^│ {2}└─ agent_auth\.register_uri {2}http.* is a page for people/),
      '└─ found wrong',
      expect.stringContaining('✗ agent_auth.identity_types_supported: Nothing says'),
      expect.stringContaining('✗ response_types_supported: It has no list of response types.'),
      expect.stringContaining('✗ agent_auth.skill: It names no skill file.'),
      '',
      expect.stringMatching(/^✗ Agents cannot register at /),
      expect.stringContaining('Perhaps agents cannot register there by themselves.'),
      `  Next: agent-auth lint ${AWAY}`,
      '',
    ]);
  });

  it('asks one question where two are meant, and takes the answer on', async () => {
    const machine = newMachine();
    machine.servers.set(
      AWAY,
      publishing({
        token_endpoint: `${AWAY}/token`,
        agent_auth: {
          identity_endpoint: `${AWAY}/agent/identity`,
          register_uri: `${AWAY}/agent/auth`,
          identity_types_supported: ['anonymous'],
        },
      }),
    );
    const asked = await runCli(machine, ['discover', AWAY]);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(`--dialect flat   ${AWAY}/agent/identity  agent_auth.identity`);
    expect(asked.stderr).toContain(`Next: agent-auth discover ${AWAY} --dialect flat`);
    const { code, stdout } = await runCli(machine, ['discover', AWAY, '--dialect', 'first']);
    expect(code).toBe(0);
    expect(stdout).toContain('├─ speaks first');
    expect(stdout).toContain(`└─ Next: agent-auth register ${AWAY} --dialect first`);
  });
});

const AWAY = 'http://127.0.0.1:4990';

/** A server that publishes one document, and nothing else. */
function publishing(metadata: object): Handler {
  return ({ url }) =>
    new URL(url).pathname === '/.well-known/oauth-authorization-server'
      ? Response.json({ issuer: AWAY, ...metadata })
      : new Response('no', { status: 404 });
}
