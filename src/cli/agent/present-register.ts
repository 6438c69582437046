import type { Service } from '../../agent/model.ts';
import type { ClaimNeeded, ClaimPending, Registered } from '../../agent/outcomes.ts';
import { stateScopes, userOf } from '../../agent/records/registration-state.ts';
import { kindOf } from '../choose/known-registrations.ts';
import { ceremonyJson, ceremonyText } from '../handover/present-ceremony.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import type { JsonData, Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import type { Style } from '../terminal/style.ts';
import { backText, insteadOf, previousJson } from './present-previous.ts';
import { registrationJson, scopesText, tokenJson } from './present-registration.ts';

type Outcome = Registered | ClaimPending | ClaimNeeded;

/** Registered, now or before, with a token in hand. */
export function presentRegistered(context: Context, outcome: Registered): Rendering {
  const { registration, token } = outcome;
  const claimable = registration.type === 'anonymous' && !registration.claimed;
  const next = claimable
    ? nextLine(context, 'claim', '--email', userOf(registration) ?? 'EMAIL')
    : nextLine(context, 'call', '/PATH');
  const scopes = token.scopes ?? stateScopes(registration);
  const missing = (registration.postClaimScopes ?? []).filter((scope) => !scopes?.includes(scope));
  return {
    schema: 'register',
    json: () => ({
      status: 'registered',
      ...outcomeJson(context, outcome),
      token: tokenJson(context, registration.issuer, token),
      next,
    }),
    human: (style) =>
      [
        `${style.green('✓')} ${madeText(style, outcome)}, ${describeType(outcome)}.`,
        facts(style, [
          ['registration', registration.id],
          ['may', scopesText(scopes)],
          [
            'after a claim',
            claimable && missing.length > 0 ? `also ${missing.join(' ')}` : undefined,
          ],
        ]),
        ...beforeText(style, outcome),
        ...goBack(context, style, outcome),
        nextText(style, next, claimable ? 'let a user take it over' : 'use it'),
      ].join('\n'),
  };
}

/** The service knows the agent; a person has to confirm before anything is gained. */
export function presentWaiting(context: Context, outcome: ClaimPending): Rendering {
  const { ceremony, reason, registration } = outcome;
  const next = nextLine(context, 'claim');
  return {
    schema: 'register',
    json: () => ({
      status: 'pending',
      reason,
      ...outcomeJson(context, outcome),
      claim: ceremonyJson(context, registration.issuer, ceremony),
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} ${waitingText(style, outcome)}`,
        '',
        ceremonyText(context, style, ceremony),
        '',
        ...beforeText(style, outcome),
        ...goBack(context, style, outcome),
        nextText(style, next, 'wait for the confirmation'),
      ].join('\n'),
  };
}

/** Registered before; no claim attempt is open, and without one nothing is gained. */
export function presentClaimNeeded(context: Context, outcome: ClaimNeeded): Rendering {
  const { registration, reason } = outcome;
  const next =
    reason === 'not_started'
      ? nextLine(context, 'claim', '--email', userOf(registration) ?? 'EMAIL')
      : nextLine(context, 'claim', ...(reason === 'denied' ? ['--renew'] : []));
  return {
    schema: 'register',
    json: () => ({
      status: 'pending',
      reason,
      ...outcomeJson(context, outcome),
      claim: null,
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} ${madeText(style, outcome)}, ${describeType(outcome)}; ${NEEDED_TEXT[reason]}`,
        facts(style, [['registration', registration.id]]),
        ...beforeText(style, outcome),
        ...goBack(context, style, outcome),
        nextText(style, next, 'ask the user for a new code'),
      ].join('\n'),
  };
}

const NEEDED_TEXT: Readonly<Record<ClaimNeeded['reason'], string>> = {
  denied: 'its user refused the claim.',
  lapsed: 'the last code is over.',
  not_started: 'it is good for nothing before a user has claimed it.',
};

function serviceJson({ issuer, name, resource }: Service): JsonData {
  return { issuer, resource, name: name ?? null };
}

function outcomeJson(context: Context, outcome: Outcome): JsonData {
  const { service, registration, warnings, already, ended, previous } = outcome;
  return {
    service: serviceJson(service),
    registration: registrationJson(context, registration),
    already,
    ended: ended.map(({ id }) => id),
    previous: previousJson(context, previous),
    warnings,
  };
}

function madeText(style: Style, { service, already }: Outcome): string {
  return `${already ? 'Already registered' : 'Registered'} at ${style.bold(service.name ?? service.resource)}`;
}

function waitingText(style: Style, outcome: ClaimPending): string {
  const { service, registration, reason } = outcome;
  const who = userOf(registration) ?? 'the user';
  switch (reason) {
    case 'service_auth':
      return `${madeText(style, outcome)}; ${who} has to confirm it:`;
    case 'anonymous':
      return `${madeText(style, outcome)}; it is good for nothing before ${who} has claimed it:`;
    case 'interaction_required':
      return `${style.bold(service.name ?? service.resource)} has an account with that address already; its user has to confirm the link:`;
  }
}

/** `anonymously`, `for alice@example.com`. */
export function describeType({ registration }: Pick<Outcome, 'registration'>): string {
  const user = userOf(registration);
  switch (registration.type) {
    case 'anonymous':
      return registration.claimed ? `claimed by ${user ?? 'its user'}` : 'anonymously';
    case 'service_auth':
      return `for ${user ?? 'its user'}`;
    case 'identity_assertion':
      return `for ${user ?? 'a user'}, whom ${registration.provider ?? 'the provider'} vouches for`;
  }
}

/** What was there before: ended by now, or still good. */
function beforeText(style: Style, { already, ended }: Outcome): readonly string[] {
  const over = endedText({ ended });
  if (!already) return over;
  return [...over, style.dim('  Nothing new was registered; --new makes another one.')];
}

/** What the service was asked about, and does not know. */
export function endedText({ ended }: Pick<Outcome, 'ended'>): readonly string[] {
  return ended.map((each) => `  The service does not know ${each.id} (${kindOf(each)}) any more.`);
}

/** Another registration is in use now than before: a person who did not mean that can go back. */
export function goBack(
  context: Context,
  style: Style,
  { previous }: Pick<Outcome, 'previous'>,
): readonly string[] {
  if (previous === undefined) return [];
  return [`  It is in use now${insteadOf(previous)}.`, ...backText(context, style, previous)];
}

function nextText(style: Style, { line }: Next, why: string): string {
  return `  Next: ${style.cyan(line)}  ${style.dim(`(${why})`)}`;
}
