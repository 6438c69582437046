import { namedService } from '../choose-service.ts';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { claimFailure, endClaim } from '../end-claim.ts';
import type { Outcome } from '../exit-codes.ts';
import { nextLine } from '../next-line.ts';
import { openAgent } from '../open-agent.ts';
import { presentClaimed } from '../presenters/claim.ts';
import { waitForClaim } from '../wait-for-claim.ts';

export interface ClaimWaitOptions {
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Waits for an open attempt, also one that another process opened. Never opens one. */
export async function claimWait(context: Context, options: ClaimWaitOptions): Promise<Outcome> {
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context);
  const service = namedService(context, undefined);
  const known = await agent.resumeClaim({ service, signal: interrupt.signal });
  switch (known.status) {
    case 'open':
      return endClaim(
        context,
        await waitForClaim(context, known, {
          agent,
          store,
          service,
          browser: 'auto',
          timeout: options.timeout,
        }),
      );
    case 'already_claimed':
      output.result(presentClaimed(context, known.registration, known.registration.token));
      return 'done';
    case 'not_started':
      throw new CliError('failed', {
        code: 'no_claim_open',
        message: 'No claim was opened for this registration.',
        next: nextLine(context, 'claim', '--email', known.registration.email ?? 'EMAIL'),
      });
    default:
      throw claimFailure(context, known.status, known.registration);
  }
}
