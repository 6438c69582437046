import type { Ceremony, Registration, Service } from '../../agent/model.ts';
import type { RegistrationStatus } from '../../agent/outcomes.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { displayText } from '../../protocol/text.ts';
import { kindOf } from '../prompts/known-registrations.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Style } from '../terminal/style.ts';
import { endJson, endText } from '../terminal/time.ts';

/** Instead of which one another is in use now; empty where nothing changed. */
export function insteadOf(previous: Registration | undefined): string {
  return previous === undefined ? '' : ` instead of ${previous.id} (${kindOf(previous)})`;
}

/** How to go back to the one that was in use. */
export function backText(
  context: Context,
  style: Style,
  previous: Registration | undefined,
): readonly string[] {
  if (previous === undefined) return [];
  return [`  Back: ${style.cyan(nextLine(context, 'use', previous.id).line)}`];
}

/** The scopes as text: not stated by the service is not the same as none. */
export function scopesText(scopes: readonly string[] | null, none = 'nothing yet'): string {
  return scopes === null ? 'not stated' : scopes.join(' ') || none;
}

/** `anonymously`, `for alice@example.com`. */
export function describeType({ registration }: { readonly registration: Registration }): string {
  const user = userOf(registration);
  switch (registration.type) {
    case 'anonymous':
      return registration.claimed ? `claimed by ${user ?? 'its user'}` : 'anonymously';
    case 'service_auth':
      return `for ${user ?? 'its user'}`;
    case 'identity_assertion':
      return `for ${user ?? 'a user'}, identified by ${registration.provider ?? 'the provider'}`;
  }
}

/** The registrations that the service no longer knows. */
export function endedText({
  ended,
}: {
  readonly ended: readonly Registration[];
}): readonly string[] {
  return ended.map((each) => `  The service no longer knows ${each.id} (${kindOf(each)}).`);
}

/** Says that another registration is in use than before, with the command that goes back. */
export function goBack(
  context: Context,
  style: Style,
  { previous }: { readonly previous?: Registration | undefined },
): readonly string[] {
  if (previous === undefined) return [];
  return [`  It is in use now${insteadOf(previous)}.`, ...backText(context, style, previous)];
}

/** The dialect that a registration is spoken to in, where it is not the usual one. */
export function otherDialect({ dialect }: Pick<Registration, 'dialect'>): string {
  return dialect === 'flat' ? '' : dialect;
}

/** What calls are made with where that is no token of an exchange. */
export function directText({ token }: Pick<Registration, 'token'>): string | undefined {
  if (!token?.direct) return undefined;
  const where =
    token.header === undefined ? '' : `, in the header ${displayText(token.header, 100)}`;
  return `the credential of the registration${where}`;
}

/** What else the service said of a credential that it gave in place of a token. */
export function credentialFacts(
  { clocks }: Context,
  { issuer, token }: Pick<Registration, 'issuer' | 'token'>,
): readonly (readonly [string, string | undefined])[] {
  if (!token?.direct) return [];
  const { expiresAt, loginUrl } = token;
  const now = clocks.now(issuer);
  const end = expiresAt === null ? undefined : endText(now, expiresAt - now);
  return [
    ['valid until', end],
    ['login page', loginUrl],
  ];
}

/** Says until when a refresh token gets the next assertion. */
export function refreshText(
  { registration, refreshRemaining }: RegistrationStatus,
  now: number,
): string | undefined {
  if (!registration.refresh) return undefined;
  return refreshRemaining === null ? 'not stated' : endText(now, refreshRemaining);
}

/** Members that the service demands of every request. */
export function membersText({ members = {} }: Pick<Registration, 'members'>): string | undefined {
  const pairs = Object.entries(members).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? undefined : displayText(pairs.join(' '), 200);
}

/** What a claim attempt waits for. */
export function waitsFor({ claim }: Pick<Registration, 'claim'>): string | undefined {
  const attempt = claim?.attempt;
  if (!attempt) return undefined;
  if (attempt.kind === 'type_there') return 'its user to type the code on the page';
  if (attempt.verificationUri !== null) return 'the code that the page shows to its user';
  return `the code that was mailed to ${displayText(claim.email ?? 'its user', 254)}`;
}

/** A registration for programs: facts alone, no secret. */
export function registrationJson({ clocks }: Context, registration: Registration) {
  const now = clocks.now(registration.issuer);
  return {
    registration_id: registration.id,
    registration_type: registration.type,
    issuer: registration.issuer,
    resource: registration.resource,
    email: userOf(registration),
    provider: registration.provider,
    claimed: registration.claimed,
    dialect: registration.dialect,
    members: registration.members ?? {},
    ...endJson('assertion_expires', registration.assertion?.expiresAt, now),
    ...(registration.refresh && endJson('refresh_expires', registration.refresh.expiresAt, now)),
    ...endJson('claim_token_expires', registration.claim?.expiresAt, now),
    pre_claim_scopes: registration.preClaimScopes,
    post_claim_scopes: registration.postClaimScopes,
  };
}

/** The registration that was in use before, and the way back to it, for programs. */
export function previousJson(context: Context, previous: Registration | undefined) {
  return previous === undefined
    ? null
    : { registration_id: previous.id, next: nextLine(context, 'use', previous.id) };
}

export function serviceJson({ issuer, resource, name }: Service) {
  return { issuer, resource, name: name ?? null };
}

/** The line that hands in a code; only a user knows which. */
export function codeLine(context: Context): Next {
  return nextLine(context, 'claim', '--code', 'CODE');
}

/** The line that goes on with an open claim, by which way its code goes. */
export function goOnLine(context: Context, { kind }: Pick<Ceremony, 'kind'>): Next {
  return kind === 'read_back' ? codeLine(context) : nextLine(context, 'claim', 'wait');
}
