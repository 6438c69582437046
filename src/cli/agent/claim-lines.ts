import { claimEnd } from '../../agent/claim/claim-end.ts';
import type { AccessToken, Ceremony, Registration, Warning } from '../../agent/model.ts';
import type { EndedClaim, UnansweredPolls } from '../../agent/outcomes.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { ceremonyJson, waitingText } from '../prompts/ceremony.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine, nextStepLine, nextText } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/table.ts';
import { credentialFacts, goOnLine, registrationJson, scopesText } from './registration-lines.ts';
import { tokenJson } from './token-json.ts';

/** The claim is complete. The token is missing where it was completed before. */
export function presentClaimed(
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
          ...credentialFacts(context, registration),
        ]),
        nextText(style, next, 'use it'),
      ].join('\n'),
  };
}

/** An attempt is open, and this command no longer waits for it (or not yet). */
export function presentClaimOpen(
  context: Context,
  registration: Registration,
  ceremony: Ceremony,
  {
    unanswered,
    warnings = [],
  }: {
    readonly unanswered?: UnansweredPolls | undefined;
    readonly warnings?: readonly Warning[];
  } = {},
): Rendering {
  // What cannot be collected may make the assertion reach further.
  const isCollected = !warnings.some(({ code }) => code === 'no_claim_grant');
  const next =
    isCollected || registration.assertion === null
      ? goOnLine(context, ceremony)
      : nextLine(context, 'token', '--renew');
  return {
    schema: 'claim',
    json: () => ({
      status: 'pending',
      registration: registrationJson(context, registration),
      claim: ceremonyJson(context, registration.issuer, ceremony),
      ...(unanswered !== undefined && { unanswered: { ...unanswered } }),
      warnings,
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} Waiting for ${userOf(registration) ?? 'the user'} to claim it:`,
        ...waitingText(style, ceremony, 'The service', unanswered),
        nextText(style, next),
      ].join('\n'),
  };
}

type Failure = EndedClaim['status'] | 'aborted';

interface Continuation {
  /** What is next, in place of the claim command that would continue. */
  readonly next: Next;
  /** The registration was forgotten: its claim cannot be continued. */
  readonly isLeft: boolean;
}

/** The error of a claim that did not complete, with the command that continues from there. */
export function claimFailure(
  context: Context,
  status: Failure,
  registration: Registration,
  continuation?: Continuation,
): CliError {
  const left = continuation?.isLeft === true;
  const details = { registration_id: registration.id };
  if (status === 'aborted') {
    const isReadBack = registration.claim?.attempt?.kind === 'read_back';
    const hint = isReadBack ? 'The code can still be handed in.' : 'The code above still works.';
    const kind = isReadBack ? 'read_back' : 'type_there';
    return new CliError('interrupted', {
      code: 'interrupted',
      message: left ? 'Interrupted.' : 'Interrupted. The claim stays open.',
      hint: left ? undefined : hint,
      next: continuation?.next ?? goOnLine(context, { kind }),
      details,
    });
  }
  const { code, message, next } = claimEnd(status, registration);
  // After a denial, the same command would ask nobody: the user has to want another code.
  const instead = status === 'denied' && !left ? undefined : continuation?.next;
  return new CliError(ENDS_AS[status], {
    code,
    message: left && status === 'attempt_expired' ? 'The code has expired.' : message,
    hint: status === 'denied' ? afterDenial(context, left) : undefined,
    next: instead ?? nextStepLine(context, next),
    details,
  });
}

const ENDS_AS = {
  attempt_expired: 'expired',
  denied: 'refused',
  window_over: 'expired',
  revoked: 'unregistered',
} as const;

/** What to do after a denial. The claim stays denied, whatever the service has forgotten meanwhile. */
function afterDenial(context: Context, left: boolean): string {
  const again = 'If that was a mistake, ask for a new code';
  if (left) return `${again}.`;
  return `Nobody asks again by itself. ${again}; to begin anew, as after a reset of the service: ${nextLine(context, 'forget').line}`;
}
