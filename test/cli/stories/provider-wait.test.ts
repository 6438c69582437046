import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { approveConsent, approveSignIn, openSignedIn } from '../../../src/user/user-steps.ts';
import { ALICE, machineWithBoth, newUser, PROVIDER, SERVICE, shell } from '../support/mocks.ts';
import type { Run } from '../support/run-cli.ts';
import { signedIn } from '../support/signed-in.ts';

interface SignInPage {
  readonly verification_uri: string;
  readonly user_code: string;
}

const signInOf = (run: Run) => run.json()[0]?.['sign_in'] as SignInPage;
/** The words of a `next`, whatever shape it has. */
const nextOf = (run: Run) => JSON.stringify(run.json().at(-1)?.['next']);

describe('provider login --no-wait', () => {
  const open = async () => {
    const machine = await machineWithBoth();
    const run = shell(machine);
    const begun = await run(`provider login ${PROVIDER} --no-wait --json`);
    return { machine, run, begun };
  };

  it('shows the code and returns at once: exit 8, and the line to wait with', async () => {
    const { machine, begun, run } = await open();
    expect([begun.code, begun.json()]).toMatchObject([
      8,
      [{ schema: 'agent-auth.provider-login/1', status: 'pending', provider: PROVIDER }],
    ]);
    expect(nextOf(begun)).toContain(`agent-auth provider login wait ${PROVIDER}`);
    const { stdout } = await run(`provider login ${PROVIDER} --no-wait`);
    expect(stdout).toMatch(/^Code {2}\S+/m);
    expect(stdout).toContain(`${PROVIDER}/device`);
    expect((await machine.store.read()).signIns).toHaveLength(1);
  });

  it('is gone on with by a second login: the code that the user holds stays good', async () => {
    const { begun, run } = await open();
    const again = await run(`provider login ${PROVIDER} --no-wait --json`);
    expect(signInOf(again)).toMatchObject({ user_code: signInOf(begun).user_code });
    const fresh = await run(`provider login ${PROVIDER} --fresh --no-wait --json`);
    expect(signInOf(fresh).user_code).not.toBe(signInOf(begun).user_code);
  });

  it.each(['mint', 'consent'])('is what `provider %s` leads to', async (command) => {
    const { run } = await open();
    const { code, stderr } = await run(`provider ${command} ${PROVIDER} --audience ${SERVICE}`);
    expect(code).toBe(8);
    expect(stderr).toContain(`agent-auth provider login wait ${PROVIDER}`);
  });

  it('is waited for by another process', async () => {
    const { machine, begun, run } = await open();
    const { user_code: code, verification_uri: page } = signInOf(begun);
    machine.onSleep = async () => {
      machine.onSleep = undefined;
      await approveSignIn(newUser(machine), page, code, ALICE);
    };
    const waited = await run('provider login wait --json');
    expect([waited.code, waited.json().at(-1)]).toMatchObject([
      0,
      { status: 'signed_in', account: ALICE },
    ]);
    expect(await machine.store.read()).toMatchObject({
      signIns: [],
      providers: [{ issuer: PROVIDER }],
    });
    const again = await run('provider login wait --json');
    expect([again.code, again.json()[0]]).toMatchObject([0, { status: 'signed_in' }]);
  });

  it('is not finished by short waits, which come to a poll together', async () => {
    const { machine, begun, run } = await open();
    const first = await run('provider login wait --timeout 3s --json');
    expect([first.code, first.json().at(-1)]).toMatchObject([8, { status: 'pending' }]);
    const { user_code: code, verification_uri: page } = signInOf(begun);
    await approveSignIn(newUser(machine), page, code, ALICE);
    expect((await run('provider login wait --timeout 3s')).code).toBe(0);
  });

  it('is over after its time: exit 6, and the line to begin again', async () => {
    const never = await open();
    never.machine.clock.advance(60 * MINUTE);
    const { code: exit, stderr } = await never.run('provider login wait');
    expect(exit).toBe(6);
    expect(stderr).toContain(`agent-auth provider login ${PROVIDER}`);
    expect((await never.machine.store.read()).signIns).toEqual([]);
  });

  it('tells of a refusal: exit 5', async () => {
    const { machine, begun, run } = await open();
    const user = newUser(machine);
    const { user_code: code, verification_uri: page } = signInOf(begun);
    const asked = await user.submit(await openSignedIn(user, page, ALICE), { user_code: code });
    await user.submit(asked, { decision: 'deny' });
    expect((await run('provider login wait')).code).toBe(5);
    expect((await machine.store.read()).signIns).toEqual([]);
  });

  it('says how to begin where no sign-in is open', async () => {
    const machine = await machineWithBoth();
    const { code, stderr } = await shell(machine)('provider login wait');
    expect(code).toBe(1);
    expect(stderr).toContain('No sign-in is open.');
    expect(stderr).toContain('agent-auth provider login URL');
  });

  it('stays open when the wait is interrupted', async () => {
    const { machine, run } = await open();
    const { code, stderr } = await run('provider login wait', {
      meanwhile: (live) => {
        machine.onSleep = () => live.stop();
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('agent-auth provider login wait');
    expect((await machine.store.read()).signIns).toHaveLength(1);
  });
});

describe('provider consent --no-wait', () => {
  const line = `provider consent ${PROVIDER} --audience ${SERVICE}`;
  const wait = `provider consent wait ${PROVIDER} --audience ${SERVICE}`;

  it('shows the page and returns at once: exit 8, then wait goes on', async () => {
    const { machine, run, user } = await signedIn();
    const asked = await run(`${line} --no-wait --json`);
    expect([asked.code, asked.json()]).toMatchObject([
      8,
      [{ status: 'pending', consent_uri: expect.stringContaining('/consent'), openable: true }],
    ]);
    expect(nextOf(asked)).toContain(`agent-auth ${wait}`);
    const soon = await run(`${wait} --timeout 10s --json`);
    expect([soon.code, soon.json().at(-1)]).toMatchObject([8, { status: 'pending' }]);
    machine.onSleep = async () => {
      machine.onSleep = undefined;
      await approveConsent(user, String(asked.json()[0]?.['consent_uri']), ALICE);
    };
    const given = await run(`${wait} --json`);
    expect([given.code, given.json()]).toMatchObject([
      0,
      // The page comes first: whoever waits under --json has to hand it over.
      [{ status: 'pending', consent_uri: expect.any(String) }, { status: 'given' }],
    ]);
    expect((await run(`${line} --no-wait`)).code).toBe(0);
  });

  it('leads on from a refusal', async () => {
    const { machine, run, user } = await signedIn();
    const asked = await run(`${line} --no-wait --json`);
    machine.onSleep = async () => {
      machine.onSleep = undefined;
      const page = await openSignedIn(user, String(asked.json()[0]?.['consent_uri']), ALICE);
      await user.submit(page, { decision: 'deny' });
    };
    const refused = await run(wait);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain(`agent-auth provider consent ${PROVIDER}`);
  });

  it('is told with its page where connect stops for it, and connect goes on', async () => {
    const { machine, run, user } = await signedIn();
    const connect = `connect ${SERVICE} --provider ${PROVIDER} --no-wait`;
    const { code, stderr } = await run(connect);
    expect(code).toBe(8);
    const [page = ''] = /http:\S+\/consent\S*/.exec(stderr) ?? [];
    expect(stderr).toContain(`Next: agent-auth connect ${SERVICE} --provider ${PROVIDER}`);
    await approveConsent(user, page, ALICE);
    expect((await run(connect)).code).toBe(0);
    expect((await machine.store.read()).services).toHaveLength(1);
  });

  it('asks for the same scopes when it waits', async () => {
    const { run } = await signedIn();
    const { stdout } = await run(`${line} --scope api.read --no-wait`);
    expect(stdout).toContain('--scope api.read');
  });

  it.each([`${line} --no-wait`, wait])('names the sign-in that is missing: %s', async (typed) => {
    const machine = await machineWithBoth();
    const { code, stderr } = await shell(machine)(typed);
    expect(code).toBe(8);
    expect(stderr).toContain(`agent-auth provider login ${PROVIDER}`);
  });
});
