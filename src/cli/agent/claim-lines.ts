import type { AccessToken, Ceremony, Registration, Warning } from '../../agent/model.ts';
import type { UnansweredPolls } from '../../agent/outcomes.ts';
import { unansweredText } from '../../agent/polling/unanswered.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { ceremonyJson, ceremonyText } from '../handover/ceremony.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import { goOnLine } from './claim-steps.ts';
import { registrationJson, tokenJson } from './registration-json.ts';
import { credentialFacts, scopesText } from './registration-lines.ts';

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
        `  Next: ${style.cyan(next.line)}  ${style.dim('(use it)')}`,
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
        '',
        ceremonyText(style, ceremony),
        '',
        ...(unanswered === undefined
          ? []
          : [`  ${style.yellow('!')} ${unansweredText('The service', unanswered)}`, '']),
        `  Next: ${style.cyan(next.line)}`,
      ].join('\n'),
  };
}
