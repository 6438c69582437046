import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/protocol/durations.ts';
import { step } from '../../support/step.ts';
import { PROVIDER, SERVICE } from '../support/mocks.ts';
import { attentiveUser, consented, signedIn } from '../support/signed-in.ts';

const register = `register ${SERVICE} --provider ${PROVIDER}`;

/** A service, or a provider, that wants a sign-in which is at most two minutes old. */
const STRICT = {
  service: { service: { lifetimes: { maxAuthAge: 2 * MINUTE } } },
  provider: { provider: { lifetimes: { maxAuthAge: 2 * MINUTE } } },
} as const;

describe.each(['service', 'provider'] as const)('a %s that finds the sign-in too old', (who) => {
  it('is content after the user has signed in again, in the same browser', async () => {
    const { machine, run, user } = await consented(undefined, STRICT[who]);
    // The browser's session is young enough for the provider's own page, and too old for this.
    machine.clock.advance(3 * MINUTE);
    const { code, stdout, stderr } = await run(
      `${register} --yes`,
      attentiveUser(machine, undefined, user),
    );
    expect([code, stdout]).toMatchObject([0, expect.stringContaining('Registered at')]);
    expect(stderr).toContain('The sign-in may be at most 2 minutes old.');
  });

  it('names the command for a user where none is: exit 8', async () => {
    const { machine, run, user } = await consented(undefined, STRICT[who]);
    machine.clock.advance(3 * MINUTE);
    const { code, json } = await run(`${register} --json`);
    const next = step(`agent-auth provider login ${PROVIDER} --fresh`);
    expect([code, json()[0]?.['error']]).toMatchObject([8, { code: 'login_required', next }]);
    const line = next.line.replace('agent-auth ', '');
    expect((await run(line, attentiveUser(machine, undefined, user))).code).toBe(0);
    machine.onSleep = undefined;
    expect((await run(`${register} --json`)).code).toBe(0);
  });

  it('is asked once, not in a circle, when no sign-in is new enough', async () => {
    const { machine, run, user } = await consented(undefined, STRICT[who]);
    machine.clock.advance(3 * MINUTE);
    const attentive = attentiveUser(machine, undefined, user);
    const slow: typeof attentive = {
      meanwhile: (live) => {
        attentive.meanwhile?.(live);
        const act = machine.onSleep;
        machine.onSleep = async (ms) => {
          await act?.(ms);
          machine.clock.advance(3 * MINUTE);
        };
      },
    };
    const { code, stderr } = await run(`${register} --yes`, slow);
    expect(code).toBe(5);
    expect(stderr).toContain(
      `The ${who} still asks for a sign-in, although the user just signed in.\n  Next: agent-auth provider login ${PROVIDER} --fresh`,
    );
    expect(stderr.match(/^Sign in at/gm)).toHaveLength(1);
  });
});

describe('a sign-in that ended, with a browser that is still signed in', () => {
  it('does not use up the fresh one that the service asks for then', async () => {
    const { machine, run, user } = await consented(undefined, {
      provider: { lifetimes: { idToken: MINUTE } },
      service: { lifetimes: { maxAuthAge: 2 * MINUTE } },
    });
    // The agent's session is over; the browser's is young enough for the provider alone.
    machine.clock.advance(3 * MINUTE);
    const { code, stdout, stderr } = await run(
      `${register} --yes`,
      attentiveUser(machine, undefined, user),
    );
    expect([code, stdout]).toMatchObject([0, expect.stringContaining('Registered at')]);
    expect(stderr.match(/^Sign in at/gm)).toHaveLength(2);
  });

  it('is asked for once, when the new one is over at once', async () => {
    const { machine, run, user } = await consented(undefined, {
      provider: { lifetimes: { idToken: MINUTE } },
    });
    machine.clock.advance(2 * MINUTE);
    const attentive = attentiveUser(machine, undefined, user);
    const provider = machine.servers.get(PROVIDER);
    machine.servers.set(PROVIDER, async (request) => {
      const form = await request.clone().text();
      const answer = (await provider?.(request)) ?? new Response();
      if (answer.ok && form.includes('device_code')) machine.clock.advance(2 * MINUTE);
      return answer;
    });
    const { code, stderr } = await run(`${register} --yes`, attentive);
    expect(code).toBe(5);
    expect(stderr).toContain(
      `The sign-in that was just completed has already expired.\n  Next: agent-auth provider login ${PROVIDER}\n`,
    );
    expect(stderr.match(/^Sign in at/gm)).toHaveLength(1);
  });
});

describe('a sign-in that gets too old while the consent is waited for', () => {
  it('is reported as such, and the user signs in and agrees: no “nobody agreed in time”', async () => {
    const { machine, run, user } = await signedIn(undefined, STRICT.provider);
    const attentive = attentiveUser(machine, undefined, user);
    const { code, stdout, stderr } = await run(`${register} --yes`, {
      meanwhile: (live) => {
        attentive.meanwhile?.(live);
        const act = machine.onSleep;
        let hasWaited = false;
        machine.onSleep = async (ms) => {
          // The first question is left alone for longer than a sign-in is good.
          if (live.stderr.text.includes('Sign in at')) await act?.(ms);
          else if (!hasWaited) machine.clock.advance(3 * MINUTE);
          hasWaited = true;
        };
      },
    });
    expect(stderr).not.toContain('did not consent');
    expect([code, stdout]).toMatchObject([0, expect.stringContaining('Registered at')]);
    expect(stderr.match(/^Sign in at/gm)).toHaveLength(1);
    expect(stderr.match(/^Consent at/gm)).toHaveLength(2);
  });

  it('is another thing than nobody agreeing in time: exit 6', async () => {
    const { run } = await signedIn();
    const { code, stderr } = await run(`${register} --yes`);
    expect([code, stderr]).toMatchObject([
      6,
      expect.stringContaining('The user did not consent at'),
    ]);
  });
});

describe('provider login', () => {
  it('takes the browser as it is, and with --fresh asks it again', async () => {
    const { machine, run, user } = await consented();
    machine.clock.advance(MINUTE);
    const before = machine.clock.now();
    const mint = async (line: string) => {
      await run(line, attentiveUser(machine, undefined, user));
      machine.onSleep = undefined;
      const { stdout } = await run(`provider mint --audience ${SERVICE}`);
      const claims = JSON.parse(
        Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString(),
      ) as { auth_time: number };
      return claims.auth_time * SECOND;
    };
    expect(await mint(`provider login ${PROVIDER}`)).toBeLessThan(before);
    expect(await mint(`provider login ${PROVIDER} --fresh`)).toBeGreaterThanOrEqual(before);
  });
});
