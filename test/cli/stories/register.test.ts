import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { step } from '../../support/step.ts';
import { machineWithService, SERVICE, shell } from '../support/mocks.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

describe('register', () => {
  it('takes the lightest type when nothing is given: anonymous', async () => {
    const run = shell(await machineWithService());
    const { code, stdout } = await run(`register ${SERVICE}`);
    expect(code).toBe(0);
    expect(stdout).toContain('Registered anonymously at Test Service.');
    expect(stdout).toContain('agent-auth claim --email EMAIL');
  });

  it.each([['register'], ['connect']])(
    'says with %s --agent-name what it calls itself',
    async (command) => {
      const machine = await machineWithService();
      const right = machine.servers.get(SERVICE);
      const names: unknown[] = [];
      machine.servers.set(SERVICE, async (request) => {
        if (request.url.endsWith('/agent/identity')) {
          const body = (await request.clone().json()) as Record<string, unknown>;
          names.push(body['client_name']);
        }
        return right?.(request) ?? new Response(null, { status: 500 });
      });
      const run = shell(machine);
      expect((await run(`${command} ${SERVICE} --agent-name Cleo`)).code).toBe(0);
      expect((await run(`register ${SERVICE} --new`)).code).toBe(0);
      expect(names).toEqual(['Cleo', undefined]);
    },
  );

  it.each([['register'], ['connect']])(
    'sends with %s --member what the service demands, in later commands too',
    async (command) => {
      const machine = await machineWithService();
      const right = machine.servers.get(SERVICE);
      const bodies: string[] = [];
      machine.servers.set(SERVICE, async (request) => {
        if (request.method === 'POST') bodies.push(await request.clone().text());
        return right?.(request) ?? new Response(null, { status: 500 });
      });
      const run = shell(machine);
      const member = '--member client_id=my-agent --member source=docs';
      expect((await run(`${command} ${SERVICE} ${member}`)).code).toBe(0);
      expect((await run('token --renew')).code).toBe(0);
      expect(bodies.length).toBeGreaterThanOrEqual(3);
      expect(bodies.filter((body) => !/client_id.*my-agent/.test(body))).toEqual([]);
    },
  );

  it.each(['client_id', '=x', 'client_id=', 'a=1 --member a=2', 'claim_token=clm_1'])(
    'refuses --member %s',
    async (member) => {
      const run = shell(await machineWithService());
      const { code } = await run(`register ${SERVICE} --member ${member}`);
      expect(code).toBe(2);
    },
  );

  it('prints no secret', async () => {
    const run = shell(await machineWithService());
    for (const form of ['', ' --json']) {
      const { stdout, stderr } = await run(`register ${SERVICE}${form}`);
      expect(stdout + stderr).not.toMatch(/at_|clm_|eyJ/);
    }
  });

  it('has a JSON form', async () => {
    const run = shell(await machineWithService());
    const { code, stderr, json } = await run(`register ${SERVICE} --json`);
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toEqual([
      {
        schema: 'agent-auth.register/1',
        status: 'registered',
        service: { issuer: SERVICE, resource: SERVICE, name: 'Test Service' },
        already: false,
        ended: [],
        previous: null,
        registration: {
          registration_id: expect.stringMatching(/^reg_/),
          registration_type: 'anonymous',
          issuer: SERVICE,
          resource: SERVICE,
          email: null,
          provider: null,
          claimed: false,
          dialect: 'flat',
          members: {},
          assertion_expires: expect.stringMatching(/Z$/),
          assertion_expires_in: expect.any(Number),
          claim_token_expires: expect.stringMatching(/Z$/),
          claim_token_expires_in: expect.any(Number),
          pre_claim_scopes: ['api.read'],
          post_claim_scopes: ['api.read', 'api.write'],
        },
        token: {
          scopes: ['api.read'],
          expires_at: expect.stringMatching(/Z$/),
          expires_in: 3600,
          direct: false,
          header: null,
          login_url: null,
        },
        warnings: [],
        next: step('agent-auth claim --email EMAIL'),
      },
    ]);
  });

  it('takes service_auth with --email, and exits 8 with the code and how to go on', async () => {
    const run = shell(await machineWithService());
    const { code, json } = await run(`register ${SERVICE} --email bob@example.com --json`);
    expect(code).toBe(8);
    expect(json()).toEqual([
      expect.objectContaining({
        schema: 'agent-auth.register/1',
        status: 'pending',
        reason: 'service_auth',
        registration: expect.objectContaining({ email: 'bob@example.com' }),
        claim: {
          kind: 'type_there',
          user_code: expect.stringMatching(/^\d{6}$/),
          verification_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4800\/c\/cat_/),
          openable: true,
          expires_at: '2026-01-01T00:10:00.000Z',
          expires_in: 600,
          interval: 5,
        },
        next: step('agent-auth claim'),
      }),
    ]);
  });

  it('shows the code as text', async () => {
    const run = shell(await machineWithService());
    const { stdout } = await run(`register ${SERVICE} --email bob@example.com`);
    expect(stdout).toMatch(/^Code {2}\d{3} \d{3}$/m);
    expect(stdout).toContain('bob@example.com has to claim it');
    expect(stdout).toContain('Next: agent-auth claim');
  });

  it('asks for the email at a terminal when the type needs one', async () => {
    const run = shell(await machineWithService());
    const { code, asked } = await run(`register ${SERVICE} --type service_auth`, {
      tty: true,
      answers: ['bob@example.com'],
    });
    expect([code, asked]).toEqual([8, ['Email address of the user:']]);
  });

  it.each([
    ['the email, without a terminal', 'register --type service_auth', '--email'],
    ['the source of the ID-JAG', 'register --type identity_assertion', '--provider'],
  ])('exits 2 and names the flag when %s is missing', async (_case, line, flag) => {
    const { code, stderr } = await shell(newMachine())(line);
    expect(code).toBe(2);
    expect(stderr).toContain(flag);
  });

  it.each([
    ['--email a@b.example --provider http://127.0.0.1:1', 'cannot be combined'],
    ['--type anonymous --email a@b.example', 'cannot be used with'],
    ['--type service_auth --assertion -', 'cannot be used with'],
    ['--email nobody', 'email'],
  ])('exits 2 for %s', async (options, text) => {
    const machine = await machineWithService();
    const { code, stderr } = await shell(machine)(`register ${SERVICE} ${options}`);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });

  it('refuses an assertion as an argument, and does not repeat it', async () => {
    const { code, stdout, stderr } = await shell(newMachine())(
      'register --assertion eyJsecret --json',
    );
    expect(code).toBe(2);
    expect(stdout).toContain('"secret_in_arguments"');
    expect(stdout + stderr).not.toContain('eyJsecret');
  });

  it('reads an assertion from stdin or a file, and says when it is none', async () => {
    const machine = await machineWithService();
    const file = join(mkdtempSync(join(tmpdir(), 'agent-auth-test-')), 'id-jag');
    writeFileSync(file, 'not a jwt\n');
    for (const source of ['-', `@${file}`]) {
      const { code, json } = await runCli(
        machine,
        ['register', SERVICE, '--assertion', source, '--json'],
        { stdin: 'not a jwt\n' },
      );
      expect([code, json()[0]?.['error']]).toEqual([
        2,
        expect.objectContaining({ code: 'not_an_id_jag' }),
      ]);
    }
  });

  it('exits 2 for a file that cannot be read, or that is empty', async () => {
    const run = shell(await machineWithService());
    expect((await run(`register ${SERVICE} --assertion @/nonexistent/x`)).stderr).toContain(
      'cannot be read: it does not exist',
    );
    expect(await run(`register ${SERVICE} --assertion -`)).toMatchObject({ code: 2 });
  });

  it('exits 5 when the type is switched off', async () => {
    const run = shell(await machineWithService({ identityTypes: ['anonymous'] }));
    const { code, stderr } = await run(`register ${SERVICE} --email bob@example.com`);
    expect(code).toBe(5);
    expect(stderr).toContain('service_auth');
  });

  it('exits 7 when nothing listens, and says where', async () => {
    const { code, stderr } = await shell(newMachine())(`register ${SERVICE}`);
    expect(code).toBe(7);
    expect(stderr).toContain('Nothing listens at 127.0.0.1:4800.');
  });
});

describe('which service', () => {
  it('is the argument before --service before AGENT_AUTH_SERVICE', async () => {
    const run = shell(await machineWithService());
    const nowhere = 'http://127.0.0.1:9';
    expect((await run(`register ${SERVICE} --service ${nowhere}`)).code).toBe(0);
    expect(
      (await run(`register --service ${SERVICE}`, { env: { AGENT_AUTH_SERVICE: nowhere } })).code,
    ).toBe(0);
    expect((await run('register', { env: { AGENT_AUTH_SERVICE: SERVICE } })).code).toBe(0);
  });

  it('is the one used last when none is named', async () => {
    const run = shell(await machineWithService());
    await run(`register ${SERVICE}`);
    expect((await run('register')).code).toBe(0);
  });

  it('takes a bare host', async () => {
    const run = shell(await machineWithService());
    expect((await run('register 127.0.0.1:4800')).code).toBe(0);
  });

  it('is missing otherwise: exit 2 with the line to type', async () => {
    const { code, json } = await shell(newMachine())('register --json');
    expect(code).toBe(2);
    expect(json()[0]).toMatchObject({
      error: {
        code: 'service_missing',
        next: step('agent-auth mock up'),
      },
    });
  });

  it('is named again in the next line by who named it with --service', async () => {
    const run = shell(await machineWithService());
    const { json } = await run(`register --service ${SERVICE} --json`);
    expect(json()[0]?.['next']).toEqual(
      step(`agent-auth claim --email EMAIL --service ${SERVICE}`),
    );
  });

  it('starts the next line with npx when the program was started so', async () => {
    const run = shell(await machineWithService());
    const { json } = await run(`register ${SERVICE} --json`, { env: { npm_command: 'exec' } });
    expect(json()[0]?.['next']).toEqual(step('npx agent-auth claim --email EMAIL'));
  });
});
