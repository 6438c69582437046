import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { AccessToken, Ceremony, Registration, Warning } from '../../agent/model.ts';
import type { ClaimOutcome, ResumeClaimOutcome } from '../../agent/outcomes.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { askForEmail } from '../choose/email.ts';
import { openAgent } from '../choose/open-agent.ts';
import { storedService } from '../choose/service.ts';
import { ceremonyJson, ceremonyText } from '../handover/ceremony.ts';
import { waitForClaim, wantsAnotherCode } from '../handover/wait-for-claim.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { facts } from '../terminal/facts.ts';
import { claimFailure } from './claim-failure.ts';
import { registrationJson, tokenJson } from './registration-json.ts';
import { scopesText } from './registration-lines.ts';

export interface ClaimOptions {
  readonly email?: string;
  readonly renew?: true;
  readonly wait: boolean;
  readonly browser: BrowserMode;
}

/** Lets a user claim the registration: resumes or opens an attempt and waits for its end. */
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
  // Called again after success: still success. Another user cannot claim it any more.
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
    // With --json no screen is read: the code is printed first, the result after the wait.
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

/** An anonymous registration without a user yet needs an email address. */
async function emailToAskFor(
  context: Context,
  known: ResumeClaimOutcome,
): Promise<string | undefined> {
  const { email, claim } = known.registration;
  const isNeeded = known.status === 'not_started' && email === null && claim?.email == null;
  return isNeeded ? askForEmail(context) : undefined;
}

export interface ClaimWaitOptions {
  /** Milliseconds. */
  readonly timeout?: number;
}

/** `claim wait` is parsed with the options of `claim`, too. */
type ClaimLineOptions = ClaimWaitOptions & ClaimOptions;

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

/** Mentions an answer to a claim request that was kept unread: status shows it. */
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
  return kept === undefined ? '' : `; an answer that was not understood is kept as ${kept.id}`;
}

/** Refuses options of `claim` that open an attempt or do not wait. @throws CliError (usage) */
function checkFits({ email, renew, wait }: ClaimOptions): void {
  const flag =
    email !== undefined ? '--email' : renew === true ? '--renew' : wait ? undefined : '--no-wait';
  if (flag === undefined) return;
  throw usageError(`${flag} cannot be used with claim wait, which waits for the open attempt.`, {
    hint: 'Leave out wait to open an attempt.',
  });
}

/** Prints the outcome of a claim. @throws CliError when it did not complete. */
function endClaim(context: Context, ended: ClaimOutcome): Outcome {
  if (ended.status === 'claimed') {
    const { registration, token, warnings } = ended;
    for (const { message } of warnings) context.output.warn(message);
    context.output.result(presentClaimed(context, registration, token, warnings));
    return 'done';
  }
  if (ended.status === 'pending') {
    context.output.result(presentClaimOpen(context, ended.registration, ended.ceremony));
    return 'pending';
  }
  throw claimFailure(context, ended.status, ended.registration);
}

/** The claim is complete. The token is missing where it was completed before. */
function presentClaimed(
  context: Context,
  registration: Registration,
  token: AccessToken | null,
  warnings: readonly Warning[] = [],
): Rendering {
  const next = nextLine(context, 'call', '/PATH');
  const scopes = token?.scopes ?? registration.postClaimScopes;
  return {
    schema: 'claim',
    json: () => ({
      status: 'claimed',
      registration: registrationJson(context, registration),
      token: token && tokenJson(context, registration.issuer, token),
      warnings,
      next,
    }),
    human: (style) =>
      [
        `${style.green('✓')} Claimed${registration.email === null ? '' : ` by ${registration.email}`}.`,
        facts(style, [
          ['registration', registration.id],
          ['scopes', scopesText(scopes)],
        ]),
      ].join('\n'),
  };
}

/** An attempt is open, and this command no longer waits for it (or not yet). */
function presentClaimOpen(
  context: Context,
  registration: Registration,
  ceremony: Ceremony,
): Rendering {
  const next = nextLine(context, 'claim', 'wait');
  return {
    schema: 'claim',
    json: () => ({
      status: 'pending',
      registration: registrationJson(context, registration),
      claim: ceremonyJson(context, registration.issuer, ceremony),
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} Waiting for ${userOf(registration) ?? 'the user'} to claim it:`,
        '',
        ceremonyText(context, style, ceremony),
        '',
        `  Next: ${style.cyan(next.line)}`,
      ].join('\n'),
  };
}
