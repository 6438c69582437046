import type { ResumeClaimOutcome } from '../../agent/outcomes.ts';
import { askForEmail } from '../choose/email.ts';
import { openAgent } from '../choose/open-agent.ts';
import { storedService } from '../choose/service.ts';
import { waitForClaim } from '../handover/wait-for-claim.ts';
import { wantsAnotherCode } from '../handover/wants-another-code.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { endClaim } from './end-claim.ts';
import { presentClaimed, presentClaimOpen } from './present-claim.ts';

export interface ClaimOptions {
  readonly email?: string;
  readonly renew?: true;
  readonly wait: boolean;
  readonly browser: BrowserMode;
}

/** Lets a user take over the registration: resumes or opens an attempt and waits for its end. */
export async function claim(context: Context, options: ClaimOptions): Promise<Outcome> {
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context);
  const service = await storedService(context, store);
  const known = await agent.resumeClaim({
    service,
    email: options.email,
    signal: interrupt.signal,
  });
  const { registration } = known;
  // Asked again after success: still success; somebody else cannot have it.
  if (known.status === 'already_claimed') {
    output.result(presentClaimed(context, registration, registration.token));
    return 'done';
  }
  const email = options.email ?? (await emailToAskFor(context, known));
  const start = (renew: boolean) =>
    agent.startClaim({ service, email, renew, signal: interrupt.signal });

  let started = await start(options.renew === true);
  while (started.status === 'open') {
    const { registration, ceremony } = started;
    // Nobody reads the screen under --json: the code goes out first, the result after the wait.
    if (!options.wait || output.json) {
      output.result(presentClaimOpen(context, registration, ceremony));
      if (!options.wait) return 'pending';
    }
    const ended = await waitForClaim(context, started, {
      agent,
      store,
      service,
      browser: options.browser,
    });
    if (ended.status !== 'attempt_expired' || !(await wantsAnotherCode(context))) {
      return endClaim(context, ended);
    }
    started = await start(true);
  }
  return endClaim(context, started);
}

/** An anonymous registration for which nobody was named yet needs an address. */
async function emailToAskFor(
  context: Context,
  known: ResumeClaimOutcome,
): Promise<string | undefined> {
  const { email, claim } = known.registration;
  const isNeeded = known.status === 'not_started' && email === null && claim?.email == null;
  return isNeeded ? askForEmail(context) : undefined;
}
