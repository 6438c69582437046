import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { Registration } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { openAgent } from '../choose/open-agent.ts';
import { storedService } from '../choose/service.ts';
import { waitForClaim } from '../handover/wait-for-claim.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { ClaimOptions } from './claim.ts';
import { claimFailure, endClaim } from './end-claim.ts';
import { presentClaimed } from './present-claim.ts';

export interface ClaimWaitOptions {
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Those of `claim` fit on the line of `claim wait`, too. */
export type ClaimLineOptions = ClaimWaitOptions & ClaimOptions;

/** Waits for an open attempt, also one that another process opened. Never opens one. */
export async function claimWait(context: Context, options: ClaimLineOptions): Promise<Outcome> {
  const { output, interrupt } = context;
  checkFits(options);
  const { agent, store } = await openAgent(context);
  const service = await storedService(context, store);
  const known = await agent.resumeClaim({ service, signal: interrupt.signal });
  switch (known.status) {
    case 'open':
      return endClaim(
        context,
        await waitForClaim(context, known, {
          agent,
          store,
          service,
          browser: options.browser,
          timeout: options.timeout,
        }),
      );
    case 'already_claimed':
      output.result(presentClaimed(context, known.registration, known.registration.token));
      return 'done';
    case 'not_started':
      throw new CliError('failed', {
        code: 'no_claim_open',
        message: `No claim was opened for this registration${await keptClaim(store, known.registration)}.`,
        next: nextLine(context, 'claim', '--email', userOf(known.registration) ?? 'EMAIL'),
      });
    default:
      throw claimFailure(context, known.status, known.registration);
  }
}

/** An answer to an attempt that was kept is not denied: status shows it. */
async function keptClaim(
  store: CredentialStore,
  { id, issuer, resource }: Registration,
): Promise<string> {
  const { notUnderstood = [] } = await store.read();
  const kept = notUnderstood.find(
    (one) =>
      one.of === 'claim' &&
      one.registrationId === id &&
      one.issuer === issuer &&
      one.resource === resource,
  );
  return kept === undefined
    ? ''
    : ` that this agent understands; the answer to one is kept as ${kept.id}`;
}

/** What would open an attempt, or not wait, is not taken silently. @throws CliError (usage) */
function checkFits({ email, renew, wait }: ClaimOptions): void {
  const flag =
    email !== undefined ? '--email' : renew === true ? '--renew' : wait ? undefined : '--no-wait';
  if (flag === undefined) return;
  throw usageError(`${flag} does not fit claim wait, which waits for the attempt that is open.`, {
    hint: 'Leave wait out to open an attempt.',
  });
}
