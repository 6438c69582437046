import { expect } from 'vitest';
import type { MockProviderOptions } from '../../../src/mock-provider/index.ts';
import type { MockServiceOptions } from '../../../src/mock-service/index.ts';
import { approveConsent, approveSignIn } from '../../../src/user/user-steps.ts';
import { ALICE, machineWithBoth, newUser, PROVIDER, readScreen, SERVICE, shell } from './mocks.ts';
import type { Live, Machine, RunOptions } from './run-cli.ts';

/** Options of the two mocks. */
export interface Both {
  readonly provider?: Partial<MockProviderOptions>;
  readonly service?: Partial<MockServiceOptions>;
}

/** A user who does at each wait what the screen asks for, with one browser throughout. */
export function attentiveUser(
  machine: Machine,
  email = ALICE,
  user = newUser(machine),
): Pick<RunOptions, 'meanwhile'> {
  const seen = new Set<string>();
  return {
    meanwhile: (live: Live) => {
      machine.onSleep = async () => {
        const { page, code } = readScreen(live.stderr.text);
        const asked = `${page} ${code}`;
        if (page === '' || seen.has(asked)) return;
        seen.add(asked);
        if (page.includes('/consent')) await approveConsent(user, page, email);
        else if (page.includes('/device')) await approveSignIn(user, page, code, email);
      };
    },
  };
}

/** A machine with both mocks, signed in at the provider. */
export async function signedIn(email = ALICE, both: Both = {}) {
  const machine = await machineWithBoth(both);
  const run = shell(machine);
  const user = newUser(machine);
  const { code } = await run(`provider login ${PROVIDER}`, attentiveUser(machine, email, user));
  machine.onSleep = undefined;
  expect(code).toBe(0);
  return { machine, run, user };
}

/** The same, and the user has agreed to be identified to the service. */
export async function consented(email = ALICE, both: Both = {}) {
  const { machine, run, user } = await signedIn(email, both);
  await run(`provider consent --audience ${SERVICE}`, attentiveUser(machine, email, user));
  machine.onSleep = undefined;
  return { machine, run, user };
}
