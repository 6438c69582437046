import { describe, expect, it } from 'vitest';
import { step } from '../../support/step.ts';
import {
  addReports,
  errorOf,
  inTheNextWait,
  newcomer,
  registrations,
  stepsOf,
  summaryOf,
} from '../support/connected.ts';
import {
  ALICE,
  ceremonyOf,
  machineWithBoth,
  PROVIDER,
  registered,
  SERVICE,
  shell,
  userApproves,
} from '../support/mocks.ts';
import { runCli } from '../support/run-cli.ts';
import { attentiveUser, signedIn } from '../support/signed-in.ts';

const typesOf = async (machine: Parameters<typeof registrations>[0]) =>
  (await registrations(machine)).map(({ type }) => type);

describe('the type of registration that connect takes', () => {
  it('is service_auth for an email address: the registration is its user’s from the beginning', async () => {
    const { machine, run } = await newcomer();
    await run(`connect ${SERVICE} --email ${ALICE} --no-wait`);
    expect(await registrations(machine)).toMatchObject([{ type: 'service_auth', email: ALICE }]);
  });

  it('is anonymous with a claim where the service has no service_auth', async () => {
    const { machine, run } = await newcomer({ identityTypes: ['anonymous'] });
    const open = await run(`connect ${SERVICE} --email ${ALICE} --no-wait --json`);
    expect([open.code, await typesOf(machine)]).toEqual([8, ['anonymous']]);
    await userApproves(machine, ceremonyOf(open));
    const done = await run(`connect ${SERVICE} --email ${ALICE} --json`);
    expect(summaryOf(done)).toMatchObject({
      registration: { email: ALICE, claimed: true },
      scopes: ['api.read', 'api.write'],
    });
  });

  it('is what is there: a user takes over the anonymous one instead of getting a second', async () => {
    const { machine, run } = await registered();
    await run(`connect --email ${ALICE} --no-wait`);
    expect(await typesOf(machine)).toEqual(['anonymous']);
    await run('connect --email bob@example.com --no-wait');
    expect(await typesOf(machine)).toEqual(['anonymous', 'service_auth']);
  });

  it('is identity_assertion for a provider, whose sign-in and consent are handed over', async () => {
    const machine = await machineWithBoth();
    const run = shell(machine);
    const line = `connect ${SERVICE} --provider ${PROVIDER}`;
    const { code, stdout } = await run(`${line} --yes`, attentiveUser(machine));
    expect(code).toBe(0);
    expect(stdout).toMatch(/scopes +api\.read api\.write\n/);
    machine.onSleep = undefined;
    const again = await run(`${line} --json`);
    expect([again.code, summaryOf(again)['already']]).toEqual([0, true]);
    expect(await typesOf(machine)).toEqual(['identity_assertion']);
  });

  it('stops at the provider under --no-wait, and says how to go on', async () => {
    const machine = await machineWithBoth();
    const line = `connect ${SERVICE} --provider ${PROVIDER}`;
    const stopped = await shell(machine)(`${line} --no-wait --json`);
    expect(stopped.code).toBe(8);
    expect(errorOf(stopped)).toMatchObject({
      code: 'login_required',
      hint: `Then continue with: agent-auth ${line}`,
      next: step(`agent-auth provider login ${PROVIDER}`),
    });
    expect(await registrations(machine)).toEqual([]);
  });

  it('names the page of the consent under --no-wait', async () => {
    const { run } = await signedIn();
    const stopped = await run(`connect ${SERVICE} --provider ${PROVIDER} --no-wait --json`);
    expect([stopped.code, summaryOf(stopped)['consent_uri']]).toEqual([
      8,
      expect.stringContaining(PROVIDER),
    ]);
  });

  it('is the one that --type names', async () => {
    const { machine, run } = await registered();
    await run(`connect --type service_auth --email ${ALICE} --no-wait`);
    expect(await typesOf(machine)).toEqual(['anonymous', 'service_auth']);
    const back = await run('connect --type anonymous --json');
    expect(summaryOf(back)).toMatchObject({
      already: true,
      registration: { registration_type: 'anonymous' },
    });
    expect(await typesOf(machine)).toEqual(['anonymous', 'service_auth']);
  });

  it.each([
    [`--type anonymous --provider ${PROVIDER}`],
    [`--type identity_assertion --email ${ALICE}`],
    [`--email ${ALICE} --provider ${PROVIDER}`],
  ])('exits 2 for %s, which cannot be combined', async (options) => {
    const { machine, run } = await newcomer();
    expect((await run(`connect ${SERVICE} ${options}`)).code).toBe(2);
    expect(await registrations(machine)).toEqual([]);
  });

  it('exits 5 for a type that is not offered', async () => {
    const { run } = await newcomer({ identityTypes: ['service_auth'] });
    expect((await run(`connect ${SERVICE} --type anonymous`)).code).toBe(5);
  });
});

describe('a service without anonymous registration', () => {
  it('has the email address asked for at a terminal', async () => {
    const { machine, run } = await newcomer({ identityTypes: ['service_auth'] });
    const { code, asked } = await run(`connect ${SERVICE} --no-wait`, {
      tty: true,
      answers: [ALICE],
    });
    expect([code, asked]).toEqual([8, ['Email address of the user:']]);
    expect(await typesOf(machine)).toEqual(['service_auth']);
  });

  it('exits 2 where nobody can be asked, and needs EMAIL', async () => {
    const { machine, run } = await newcomer({ identityTypes: ['service_auth'] });
    const failed = await run(`connect ${SERVICE} --json`);
    expect(failed.code).toBe(2);
    expect(errorOf(failed)).toMatchObject({
      code: 'answer_missing',
      next: step(`agent-auth connect ${SERVICE} --email EMAIL`),
    });
    expect(await registrations(machine)).toEqual([]);
  });

  it('exits 2 and needs the provider where ID-JAGs are all that is left', async () => {
    const { run } = await newcomer({ identityTypes: ['identity_assertion'] });
    const failed = await run(`connect ${SERVICE} --json`);
    expect([failed.code, errorOf(failed)['next']]).toEqual([
      2,
      step(`agent-auth connect ${SERVICE} --provider URL`),
    ]);
  });
});

describe('the scopes that are wanted', () => {
  it.each([['--scope api.read'], ['--scope api.read --call /api/resource']])(
    'lead to no claim when they come without one: %s',
    async (options) => {
      const { run } = await newcomer();
      const done = await run(`connect ${SERVICE} ${options} --json`);
      expect(done.code).toBe(0);
      expect(stepsOf(done)).not.toContain('claim');
    },
  );

  it('lead to the claim when it brings them', async () => {
    const { machine, run } = await newcomer();
    await run(`connect ${SERVICE}`);
    const line = `connect --scope api.read --scope api.write --email ${ALICE}`;
    const open = ceremonyOf(await run(`${line} --no-wait --json`));
    inTheNextWait(machine, () => userApproves(machine, open));
    const { code, stdout } = await run(line);
    expect(code).toBe(0);
    expect(stdout).toMatch(/user +alice@example\.com\n +scopes +api\.read api\.write\n/);
  });

  it('ask whom to claim it at a terminal, and exit 2 where nobody says', async () => {
    const { run } = await newcomer();
    const line = `connect ${SERVICE} --scope api.write`;
    const failed = await run(`${line} --json`);
    expect([failed.code, errorOf(failed)['next']]).toEqual([
      2,
      step(`agent-auth connect ${SERVICE} --email EMAIL --scope api.write`),
    ]);
    const { code, asked } = await run(`${line} --no-wait`, { tty: true, answers: [ALICE] });
    expect([code, asked]).toEqual([8, ['Email address of the user:']]);
  });

  it('are several in one option, too', async () => {
    const { machine } = await newcomer();
    const line = ['connect', SERVICE, '--scope', 'api.read admin'];
    const { code, stderr } = await runCli(machine, line);
    expect(code).toBe(5);
    expect(stderr).toContain('does not offer the scope admin.');
  });

  it('are refused before anything is registered where the metadata shows that it is no use', async () => {
    const { machine, run } = await newcomer();
    const failed = await run(`connect ${SERVICE} --scope admin --json`);
    expect(failed.code).toBe(5);
    expect(errorOf(failed)).toMatchObject({
      code: 'scope_not_offered',
      next: step(`agent-auth connect ${SERVICE} --scope SCOPE`),
    });
    expect(await registrations(machine)).toEqual([]);
  });

  it('are refused when neither the registration nor its claim comes to them', async () => {
    const { machine, run } = await newcomer();
    const service = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, async (request) => {
      const answer = await service?.(request);
      if (answer === undefined || !/oauth-(authorization|protected)/.test(request.url)) {
        return answer ?? Response.error();
      }
      const text = await answer.text();
      return Response.json({ ...JSON.parse(text), scopes_supported: [] });
    });
    const failed = await run(`connect ${SERVICE} --scope admin`);
    expect(failed.code).toBe(5);
    expect(failed.stderr).toContain('cannot get the scope admin');
    expect(failed.stderr).toContain('It can get: api.read api.write.');
  });

  it('need no claim that --claim asks for without an email: exit 2 before anything is registered', async () => {
    const { machine, run } = await newcomer();
    expect((await run(`connect ${SERVICE} --claim`)).code).toBe(2);
    expect(await registrations(machine)).toEqual([]);
  });
});

describe('connect --call', () => {
  it('leads from a 403 to the claim, and calls again', async () => {
    const { machine, run } = await newcomer();
    addReports(machine);
    const line = `connect ${SERVICE} --call /reports`;
    const open = await run(`${line} --no-wait`, { tty: true, answers: [ALICE] });
    expect(open.code).toBe(8);
    inTheNextWait(machine, async () =>
      userApproves(machine, ceremonyOf(await run('claim --no-wait --json'))),
    );
    const done = await run(`${line} --json`);
    expect(done.code).toBe(0);
    expect(stepsOf(done).slice(-6)).toEqual(['call', 'claim', 'claim', 'token', 'call', 'summary']);
    expect(summaryOf(done)['call']).toMatchObject({ status: 200 });
  });

  it('names the way out of a 403 where nobody can be asked', async () => {
    const { machine, run } = await newcomer();
    addReports(machine);
    const failed = await run(`connect ${SERVICE} --call /reports --json`);
    expect(failed.code).toBe(5);
    expect(errorOf(failed)).toMatchObject({
      code: 'insufficient_scope',
      next: step(`agent-auth connect ${SERVICE} --email EMAIL --claim --call /reports`),
    });
  });

  it('shows any other answer in the summary, and exits as call does', async () => {
    const { run } = await newcomer();
    const { code, stdout, stderr } = await run(`connect ${SERVICE} --call /nothing`);
    expect(code).toBe(1);
    expect(stderr).toContain('! GET /nothing answered 404.');
    expect(stdout).toContain('Connected to Test Service.');
  });

  it('refuses another origin before anything is registered', async () => {
    const { machine, run } = await newcomer();
    expect((await run(`connect ${SERVICE} --call https://evil.example/`)).code).toBe(5);
    expect(await registrations(machine)).toEqual([]);
  });

  it('proves the token of the registration, not the one of AGENT_AUTH_TOKEN', async () => {
    const { run } = await newcomer();
    const { code, stderr } = await run(`connect ${SERVICE} --call /api/resource`, {
      env: { AGENT_AUTH_TOKEN: 'at_of_somebody' },
    });
    expect(code).toBe(0);
    expect(stderr).toContain('AGENT_AUTH_TOKEN is set');
  });
});
