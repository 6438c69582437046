import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { approveConsent, openSignedIn } from '../../../src/user/user-steps.ts';
import { step } from '../../support/step.ts';
import {
  ALICE,
  ceremonyOf,
  machineWithBoth,
  newUser,
  PROVIDER,
  readScreen,
  SERVICE,
  shell,
  userApproves,
} from '../support/mocks.ts';
import { type Run, runCli } from '../support/run-cli.ts';
import { attentiveUser, consented, signedIn } from '../support/signed-in.ts';

const login = `provider login ${PROVIDER}`;
const register = `register ${SERVICE} --provider ${PROVIDER}`;

describe('provider login', () => {
  it('shows code and page, waits, and says who signed in', async () => {
    const machine = await machineWithBoth();
    const { code, stdout, stderr } = await shell(machine)(login, attentiveUser(machine));
    expect(code).toBe(0);
    expect(stdout).toContain(`Signed in at ${PROVIDER} as ${ALICE}.`);
    expect(stdout).toContain(`Next: agent-auth register URL --provider ${PROVIDER}`);
    expect(stderr).toMatch(/^Code {2}\S+/m);
  });

  it('prints the code first and the result after the wait under --json', async () => {
    const machine = await machineWithBoth({ provider: { autoApprove: ALICE } });
    const { code, stderr, json } = await shell(machine)(`${login} --json`);
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toEqual([
      {
        schema: 'agent-auth.provider-login/1',
        status: 'pending',
        provider: PROVIDER,
        sign_in: expect.objectContaining({ user_code: expect.any(String), openable: true }),
        next: expect.objectContaining({ line: `agent-auth provider login wait ${PROVIDER}` }),
      },
      {
        schema: 'agent-auth.provider-login/1',
        status: 'signed_in',
        provider: PROVIDER,
        account: ALICE,
        expires_at: expect.stringMatching(/Z$/),
        expires_in: expect.any(Number),
        next: {
          ...step(`agent-auth register URL --provider ${PROVIDER}`),
          needs: ['URL'],
        },
      },
    ]);
  });

  it('led to a line without a service where none is known, and leaves it out where one is', async () => {
    const machine = await machineWithBoth({ provider: { autoApprove: ALICE } });
    const env = { AGENT_AUTH_SERVICE: SERVICE };
    const named = await runCli(machine, login.split(' '), { env });
    expect(named.stdout).toContain(`Next: agent-auth register --provider ${PROVIDER}`);
    expect((await shell(machine)(register, attentiveUser(machine))).code).toBe(0);
    const stored = await shell(machine)(login);
    expect(stored.stdout).toContain(`Next: agent-auth register --provider ${PROVIDER}`);
  });

  it('exits 5 when the user refuses', async () => {
    const machine = await machineWithBoth();
    const user = newUser(machine);
    const { code, stderr } = await shell(machine)(login, {
      meanwhile: (live) => {
        machine.onSleep = async () => {
          machine.onSleep = undefined;
          const { page, code: typed } = readScreen(live.stderr.text);
          const asked = await user.submit(await openSignedIn(user, page, ALICE), {
            user_code: typed,
          });
          await user.submit(asked, { decision: 'deny' });
        };
      },
    });
    expect(code).toBe(5);
    expect(stderr).toContain('The user denied the sign-in.');
  });

  it('exits 6 when nobody comes', async () => {
    const machine = await machineWithBoth();
    machine.onSleep = () => machine.clock.advance(10 * MINUTE);
    expect((await shell(machine)(login)).code).toBe(6);
  });

  it('exits 2 without a provider, with the line to type', async () => {
    const machine = await machineWithBoth();
    const { code, json } = await shell(machine)('provider login --json');
    expect([code, json()[0]?.['error']]).toMatchObject([
      2,
      { code: 'provider_missing', next: step('agent-auth mock up') },
    ]);
  });
});

describe('register --provider', () => {
  it('takes the user at the terminal through sign-in and consent, and registers', async () => {
    const machine = await machineWithBoth();
    const { code, stdout, asked } = await shell(machine)(register, {
      tty: true,
      answers: [true],
      ...attentiveUser(machine),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Registered at Test Service');
    expect(asked).toEqual([
      'Let 127.0.0.1:4801 identify you to Test Service (http://127.0.0.1:4800) for api.read, api.write?',
    ]);
  });

  it('asks nothing beforehand under --yes', async () => {
    const machine = await machineWithBoth();
    const { code, asked } = await shell(machine)(`${register} --yes`, attentiveUser(machine));
    expect([code, asked]).toEqual([0, []]);
  });

  it('sends nothing when the user says no: exit 5', async () => {
    const { machine, run } = await signedIn();
    const { code, stderr } = await run(register, { tty: true, answers: [false] });
    expect(code).toBe(5);
    expect(stderr).toContain('You declined, so nothing was sent.');
    expect((await machine.store.read()).services).toEqual([]);
  });

  it('exits 8 where nobody can sign in, and names the command', async () => {
    const machine = await machineWithBoth();
    const { code, json } = await shell(machine)(`${register} --json`);
    expect([code, json()[0]?.['error']]).toMatchObject([
      8,
      { code: 'login_required', next: step(`agent-auth provider login ${PROVIDER}`) },
    ]);
  });

  it('exits 8 where nobody can consent, and names page and command', async () => {
    const { run } = await signedIn();
    const { code, json } = await run(`${register} --json`);
    expect(code).toBe(8);
    expect(json()).toMatchObject([
      {
        error: {
          code: 'consent_required',
          next: step(`agent-auth provider consent ${PROVIDER} --audience ${SERVICE}`),
        },
        consent_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4801\/consent/),
      },
    ]);
  });

  it('needs nobody once consent is given', async () => {
    const { run } = await consented();
    const { code, json } = await run(`${register} --json`);
    expect(code).toBe(0);
    expect(json()[0]).toMatchObject({
      status: 'registered',
      registration: { registration_type: 'identity_assertion', provider: PROVIDER },
      token: { scopes: ['api.read', 'api.write'] },
    });
  });

  /** Alice has an account at the service, which no provider is linked to. */
  async function withAccount() {
    const { machine, run } = await consented();
    const first = await run(`register ${SERVICE} --email ${ALICE} --json`);
    await userApproves(machine, ceremonyOf(first));
    await run('claim wait');
    return { machine, run };
  }

  it('waits for the user of an account that exists already: exit 8, then claim', async () => {
    const { machine, run } = await withAccount();
    const pending = await run(`${register} --json`);
    expect([pending.code, pending.json()[0]]).toMatchObject([
      8,
      { status: 'pending', reason: 'interaction_required', next: step('agent-auth claim') },
    ]);
    await userApproves(machine, ceremonyOf(pending));
    expect((await run('claim wait')).code).toBe(0);
  });

  it('says in connect why a claim follows: whoever has that account confirms it (nothing said why)', async () => {
    const { run } = await withAccount();
    const stopped = await run(`connect ${SERVICE} --provider ${PROVIDER} --no-wait`);
    expect([stopped.code, stopped.stderr]).toEqual([
      8,
      expect.stringContaining(
        `Opened a claim: an account with this email exists there, and its owner has to confirm the link; waiting for ${ALICE}.`,
      ),
    ]);
    const other = await run(`connect ${SERVICE} --email bob@example.com --no-wait`);
    expect(other.stderr).toContain('Opened a claim; waiting for bob@example.com.');
  });
});

describe('provider consent', () => {
  it('takes the user to the page without asking first, also without a terminal', async () => {
    const { machine, run } = await signedIn();
    const { code, stdout, asked } = await run(
      `provider consent --audience ${SERVICE}`,
      attentiveUser(machine),
    );
    expect([code, asked]).toEqual([0, []]);
    expect(stdout).toContain(`${PROVIDER} may identify you to ${SERVICE}.`);
  });

  it('prints the page first under --json', async () => {
    const { machine, run } = await signedIn();
    const user = newUser(machine);
    const running: Promise<Run> = run(`provider consent --audience ${SERVICE} --json`, {
      meanwhile: (live) => {
        machine.onSleep = async () => {
          machine.onSleep = undefined;
          const { consent_uri: page } = JSON.parse(live.stdout.text) as { consent_uri: string };
          await approveConsent(user, page, ALICE);
        };
      },
    });
    const { code, json } = await running;
    expect(code).toBe(0);
    expect(json()).toMatchObject([{ status: 'pending' }, { status: 'given', audience: SERVICE }]);
  });

  it('exits 5 when the user refuses on the page', async () => {
    const { machine, run } = await signedIn();
    const user = newUser(machine);
    const { code } = await run(`provider consent --audience ${SERVICE}`, {
      meanwhile: (live) => {
        machine.onSleep = async () => {
          machine.onSleep = undefined;
          const page = await openSignedIn(user, readScreen(live.stderr.text).page, ALICE);
          await user.submit(page, { decision: 'deny' });
        };
      },
    });
    expect(code).toBe(5);
  });

  it('exits 6 when nobody agrees in time', async () => {
    const lifetimes = { consentRequest: 3 * MINUTE };
    const { machine, run } = await signedIn(ALICE, { provider: { lifetimes } });
    machine.onSleep = () => machine.clock.advance(MINUTE);
    const { code, stderr } = await run(`provider consent --audience ${SERVICE}`);
    expect([code, stderr]).toEqual([6, expect.stringContaining('3 minutes left')]);
  });
});

describe('provider mint', () => {
  it('prints the ID-JAG alone, and register takes it from stdin', async () => {
    const { machine, run } = await consented();
    const { code, stdout, stderr } = await run(`provider mint --audience ${SERVICE}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const registered = await runCli(machine, ['register', SERVICE, '--assertion', '-'], {
      stdin: stdout,
    });
    expect(registered.code).toBe(0);
  });

  it('is refused the second time it is used: exit 5', async () => {
    const { machine, run } = await consented();
    const { stdout } = await run(`provider mint --audience ${SERVICE}`);
    const use = () =>
      runCli(machine, ['register', SERVICE, '--assertion', '-', '--json'], { stdin: stdout });
    await use();
    const again = await use();
    expect([again.code, again.json()[0]?.['error']]).toMatchObject([
      5,
      { code: 'replay_detected' },
    ]);
  });

  it('has a JSON form', async () => {
    const { run } = await consented();
    expect((await run(`provider mint --audience ${SERVICE} --json`)).json()).toEqual([
      {
        schema: 'agent-auth.provider-mint/1',
        assertion: expect.stringMatching(/^eyJ/),
        provider: PROVIDER,
        audience: SERVICE,
        expires_at: expect.stringMatching(/Z$/),
        expires_in: expect.any(Number),
      },
    ]);
  });

  it('is for the service in use when none is named', async () => {
    const { run } = await consented();
    await run(register);
    const { json } = await run('provider mint --json');
    expect(json()[0]).toMatchObject({ audience: SERVICE });
  });
});

describe('status', () => {
  it('shows who is signed in where', async () => {
    const { run } = await consented();
    await run(register);
    const { stdout } = await run('status');
    expect(stdout).toContain(`Signed in at ${PROVIDER} as ${ALICE}`);
  });
});
