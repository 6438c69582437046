import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { Registration } from '../../agent/model.ts';
import type { ClaimOutcome, CodeRefused, ResumeClaimOutcome } from '../../agent/outcomes.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { Secret } from '../../runtime/secret.ts';
import { askForEmail } from '../prompts/ask-user.ts';
import { ceremonyJson } from '../prompts/ceremony.ts';
import { canTypeCode, triesText } from '../prompts/code-screen.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { storedService } from '../prompts/service.ts';
import { waitForClaim, wantsAnotherCode } from '../prompts/wait-for-claim.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { readFromSource } from '../shell/read-argument.ts';
import { claimFailure, presentClaimed, presentClaimOpen } from './claim-lines.ts';
import type { ClaimOptions, ClaimWaitOptions } from './options.ts';
import { codeLine } from './registration-lines.ts';

/**
 * Lets a user claim the registration: resumes or opens an attempt and waits for its end. Where the user reads
 * the code back, it is asked for; without a terminal, the line that hands it in is printed.
 */
export async function claim(context: Context, options: ClaimOptions): Promise<Outcome> {
  if (options.code !== undefined) {
    checkFits(options, '--code');
    return handInCode(context, options.code);
  }
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context);
  const service = await storedService(context, store);
  const given = options.email === true ? await askForEmail(context) : options.email;
  const known = await agent.resumeClaim({ service, email: given, signal: interrupt.signal });
  const { registration } = known;
  // Called again after success: still success. Another user cannot claim it any more.
  if (known.status === 'already_claimed') {
    return output.result(presentClaimed(context, registration, registration.token));
  }
  const email = given ?? (await emailToAskFor(context, known));
  const start = (renew: boolean) =>
    agent.startClaim({ service, email, renew, signal: interrupt.signal });

  let started = await start(options.renew === true);
  while (started.status === 'open') {
    const { registration, ceremony, warnings } = started;
    for (const { message } of warnings) output.warn(message);
    // Nothing would tell when the claim is complete.
    const isCollected = !warnings.some(({ code }) => code === 'no_claim_grant');
    const waits =
      options.wait && isCollected && (ceremony.kind === 'type_there' || canTypeCode(context));
    // With --json no screen is read: the code is printed first, the result after the wait.
    if (!waits || output.json) {
      output.result(presentClaimOpen(context, registration, ceremony, { warnings }));
      if (!waits) return 'pending';
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

/** Waits for an open attempt, also one that another process opened. Never opens one. */
export async function claimWait(context: Context, options: ClaimWaitOptions): Promise<Outcome> {
  const { output, interrupt } = context;
  checkFits(options, 'claim wait');
  const { agent, store } = await openAgent(context);
  const service = await storedService(context, store);
  const known = await agent.resumeClaim({ service, signal: interrupt.signal });
  switch (known.status) {
    case 'open':
      if (known.ceremony.kind === 'read_back' && !canTypeCode(context)) {
        output.result(presentClaimOpen(context, known.registration, known.ceremony));
        return 'pending';
      }
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
function checkFits(
  { email, renew, wait, code }: ClaimOptions,
  what: 'claim wait' | '--code',
): void {
  const flags = {
    '--email': email !== undefined,
    '--renew': renew === true,
    '--no-wait': !wait,
    '--code': code !== undefined && what !== '--code',
  };
  const [flag] = Object.entries(flags).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (flag === undefined) return;
  throw what === '--code'
    ? usageError(`${flag} cannot be used with --code, which hands in a code of the open attempt.`)
    : usageError(`${flag} cannot be used with claim wait, which waits for the open attempt.`, {
        hint:
          flag === '--code'
            ? 'Leave out wait to hand the code in.'
            : 'Leave out wait to open an attempt.',
      });
}

/** Prints the outcome of a claim. @throws CliError when it did not complete. */
function endClaim(context: Context, ended: ClaimOutcome): Outcome {
  if (ended.status === 'claimed') {
    const { registration, token, warnings } = ended;
    for (const { message } of warnings) context.output.warn(message);
    return context.output.result(presentClaimed(context, registration, token, warnings));
  }
  if (ended.status === 'pending') {
    const { registration, ceremony, unanswered } = ended;
    context.output.result(presentClaimOpen(context, registration, ceremony, { unanswered }));
    return 'pending';
  }
  throw claimFailure(context, ended.status, ended.registration);
}

/** Hands in the code that a user read on the page or in the mail. Nothing is asked, and nothing waited for. */
async function handInCode(context: Context, given: string): Promise<Outcome> {
  const { output, interrupt } = context;
  const { signal } = interrupt;
  const code = await readCodeOption(context, given);
  const { agent, store } = await openAgent(context);
  const service = await storedService(context, store);
  const known = await agent.resumeClaim({ service, signal });
  // Called again after success: still success.
  if (known.status === 'already_claimed') {
    output.say('It is claimed already, so the code was not used.');
    return output.result(presentClaimed(context, known.registration, known.registration.token));
  }
  const outcome = await agent.submitCode({ code, service, signal });
  if (outcome.status === 'not_confirmed' || outcome.status === 'wrong_code') {
    throw codeRefused(context, outcome);
  }
  return endClaim(context, outcome);
}

async function readCodeOption(context: Context, given: string): Promise<Secret> {
  if (given !== '-') return new Secret(given);
  const text = (await readFromSource(context, given)).toString('utf8').trim();
  if (text === '') throw usageError('No code came on stdin.');
  return new Secret(text);
}

/** A code that was not taken. The claim is open still, unless that was the last try. */
function codeRefused(context: Context, refused: CodeRefused): CliError {
  const { registration, ceremony } = refused;
  const details = {
    registration_id: registration.id,
    claim: ceremonyJson(context, registration.issuer, ceremony),
  };
  if (refused.status === 'not_confirmed') {
    return new CliError('pending', {
      code: 'claim_not_confirmed',
      message: 'The user has not confirmed on the page yet.',
      hint: 'Have them sign in there and confirm; then hand in the same code again.',
      next: codeLine(context),
      details,
    });
  }
  const { attemptsRemaining: left } = refused;
  const isOver = left === 0;
  return new CliError(isOver ? 'expired' : 'refused', {
    code: 'invalid_user_code',
    message: isOver
      ? 'That is not the code, and there are no tries left.'
      : `That is not the code.${triesText(left)}`,
    hint: isOver ? 'Get the user another code.' : 'Ask the user to read it again.',
    next: isOver ? nextLine(context, 'claim') : codeLine(context),
    details: { ...details, attempts_remaining: left ?? null },
  });
}
