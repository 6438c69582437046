import type { CodeAt } from '../../protocol/codes.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { ServiceConfig, TrustedIssuer } from '../config/config.ts';
import { MAX_ID_JAG_LIFETIME } from '../config/lifetimes.ts';

/** The content of an ID-JAG with a valid signature. Normalized; times in ms. */
export interface IdJag {
  readonly trusted: TrustedIssuer;
  readonly issuer: string;
  /** Empty for a provider without tenants. */
  readonly tenant: string;
  readonly subject: string;
  readonly jti: string;
  readonly audiences: readonly string[];
  readonly clientId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly notBefore: number;
  /** Its `auth_time`. */
  readonly signedInAt: number | undefined;
  /** The email, as its provider verified it. */
  readonly email: string | undefined;
  readonly phone: string | undefined;
  /** What tokens are to be bound to. */
  readonly resources: readonly string[];
  /** The scopes of ours that it allows. */
  readonly scopes: readonly string[];
}

/** What a check is decided on. */
export interface IdJagFacts {
  readonly idJag: IdJag;
  readonly config: ServiceConfig;
  readonly now: number;
}

export interface IdJagRefusal {
  readonly code: CodeAt<'identity'>;
  /** Set where the text of the code is too general. */
  readonly description?: string;
  /** Machine-readable details, wire names. */
  readonly members?: Readonly<Record<string, number>>;
}

export interface IdJagCheck {
  readonly name: string;
  /** What passes, and the code otherwise; for the documentation. */
  readonly description: string;
  /** `undefined`: it passes. */
  readonly check: (facts: IdJagFacts) => IdJagRefusal | undefined;
}

/** What an ID-JAG must fulfil, in the order of wire contract §3: the first check that fails is the answer. */
export const ID_JAG_CHECKS: readonly IdJagCheck[] = [
  {
    name: 'audience',
    description: '`aud` is the issuer of this service alone, or `invalid_audience`.',
    check: ({ idJag, config }) => unless(isForUs(idJag, config), 'invalid_audience'),
  },
  {
    name: 'client',
    description:
      '`client_id` is the provider or a client that the trust list names, or `invalid_client_id`.',
    check: ({ idJag: { clientId, issuer, trusted } }) =>
      unless(clientId === issuer || trusted.clientIds.includes(clientId), 'invalid_client_id'),
  },
  {
    name: 'expiry',
    description: '`exp` is in the future, or `expired`.',
    check: ({ idJag, config, now }) =>
      unless(now < idJag.expiresAt + config.lifetimes.clockSkew, 'expired'),
  },
  {
    name: 'issuance',
    description: '`iat` is not in the future, or `expired`.',
    check: ({ idJag, config, now }) =>
      unless(idJag.issuedAt <= now + config.lifetimes.clockSkew, 'expired'),
  },
  {
    name: 'not-before',
    description: '`nbf` is absent or not in the future, or `expired`.',
    check: ({ idJag, config, now }) =>
      unless(idJag.notBefore <= now + config.lifetimes.clockSkew, 'expired'),
  },
  {
    name: 'lifetime',
    description: 'From `iat` to `exp` is an hour at most, or `invalid_request`.',
    check: ({ idJag: { issuedAt, expiresAt } }) =>
      unless(expiresAt - issuedAt <= MAX_ID_JAG_LIFETIME, 'invalid_request', {
        description: 'The assertion is valid for longer than an hour.',
      }),
  },
  {
    name: 'resource',
    description:
      '`resource` is absent or names resources of this service alone, or `invalid_audience`.',
    check: ({ idJag: { resources }, config }) =>
      unless(
        resources.every((one) => config.isResource(one)),
        'invalid_audience',
      ),
  },
  {
    name: 'contact',
    description:
      'The provider has verified an email or a phone number, or `missing_verified_email`.',
    check: ({ idJag: { email, phone } }) =>
      unless(email !== undefined || phone !== undefined, 'missing_verified_email'),
  },
  {
    name: 'sign-in',
    description: '`auth_time` is at most `max_age` ago and not in the future, or `login_required`.',
    check: ({ idJag, config: { lifetimes }, now }) =>
      unless(isRecent(idJag.signedInAt, lifetimes, now), 'login_required', {
        members: { max_age: Math.floor(lifetimes.maxAuthAge / SECOND) },
      }),
  },
  {
    name: 'scope',
    description: '`scope` is absent or names a scope of this service, or `invalid_request`.',
    check: ({ idJag: { scopes } }) =>
      unless(scopes.length > 0, 'invalid_request', {
        description: 'The assertion names no scope of this service.',
      }),
  },
];

function unless(
  passes: boolean,
  code: IdJagRefusal['code'],
  details?: Omit<IdJagRefusal, 'code'>,
): IdJagRefusal | undefined {
  return passes ? undefined : { code, ...details };
}

/** A single audience (draft-ietf-oauth-identity-assertion-authz-grant §4.4.1). */
function isForUs({ audiences }: IdJag, config: ServiceConfig): boolean {
  const [audience, ...others] = audiences;
  if (audience === undefined || others.length > 0) return false;
  // Our base is both issuer and resource; a path under it is a resource alone.
  if (audience === config.issuer) return true;
  return config.acceptResourceAudience && config.isResource(audience);
}

/** Clock skew is allowed for a sign-in in the future, not for its age (IDJ-21). */
function isRecent(
  signedInAt: number | undefined,
  { clockSkew, maxAuthAge }: ServiceConfig['lifetimes'],
  now: number,
): boolean {
  if (signedInAt === undefined) return false;
  return now - signedInAt <= maxAuthAge && signedInAt <= now + clockSkew;
}
