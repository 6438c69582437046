import type { ClaimPending, Registered } from '../../agent/outcomes.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../next-line.ts';
import type { Rendering } from '../output.ts';
import { facts } from '../terminal/facts.ts';
import type { Style } from '../terminal/style.ts';
import { ceremonyJson, ceremonyText } from './ceremony.ts';
import { registrationJson, tokenJson, userOf } from './registration.ts';

/** Registered, with a token in hand. */
export function presentRegistered(context: Context, outcome: Registered): Rendering {
  const { service, registration, token, warnings } = outcome;
  const anonymous = registration.type === 'anonymous';
  const next = anonymous
    ? nextLine(context, 'claim', '--email', 'EMAIL')
    : nextLine(context, 'call', '/PATH');
  const scopes = token.scopes ?? registration.preClaimScopes;
  const missing = registration.postClaimScopes.filter((scope) => !scopes.includes(scope));
  return {
    schema: 'register',
    json: () => ({
      status: 'registered',
      service: { issuer: service.issuer, name: service.name ?? null },
      registration: registrationJson(registration),
      token: tokenJson(token),
      warnings,
      next,
    }),
    human: (style) =>
      [
        `${style.green('✓')} Registered at ${style.bold(service.name ?? service.issuer)}, ${describeType(outcome)}.`,
        facts(style, [
          ['registration', registration.id],
          ['may', scopes.join(' ') || 'not said'],
          [
            'after a claim',
            anonymous && missing.length > 0 ? `also ${missing.join(' ')}` : undefined,
          ],
        ]),
        nextText(style, next, anonymous ? 'let a user take it over' : 'use it'),
      ].join('\n'),
  };
}

/** The service knows the agent; a person has to confirm before anything is gained. */
export function presentWaiting(context: Context, outcome: ClaimPending): Rendering {
  const { service, registration, ceremony, warnings, reason } = outcome;
  const next = nextLine(context, 'claim');
  const name = service.name ?? service.issuer;
  const who = userOf(registration) ?? 'the user';
  return {
    schema: 'register',
    json: () => ({
      status: 'pending',
      reason,
      service: { issuer: service.issuer, name: service.name ?? null },
      registration: registrationJson(registration),
      claim: ceremonyJson(context, ceremony),
      warnings,
      next,
    }),
    human: (style) =>
      [
        reason === 'service_auth'
          ? `${style.yellow('…')} Registered at ${style.bold(name)}; ${who} has to confirm it:`
          : `${style.yellow('…')} ${style.bold(name)} has an account with that address already; its user has to confirm the link:`,
        '',
        ceremonyText(context, style, ceremony),
        '',
        nextText(style, next, 'wait for the confirmation'),
      ].join('\n'),
  };
}

function describeType({ registration }: Registered): string {
  switch (registration.type) {
    case 'anonymous':
      return 'anonymously';
    case 'service_auth':
      return `for ${userOf(registration) ?? 'its user'}`;
    case 'identity_assertion':
      return `for ${userOf(registration) ?? 'a user'}, whom ${registration.provider ?? 'the provider'} vouches for`;
  }
}

function nextText(style: Style, line: string, why: string): string {
  return `  Next: ${style.cyan(line)}  ${style.dim(`(${why})`)}`;
}
