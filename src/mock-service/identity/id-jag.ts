import {
  type CodeAt,
  type IdJagClaims,
  idJagClaims,
  isPhoneNumber,
  JWT_TYPE,
  normalizeEmail,
  toMilliseconds,
} from '../../protocol/index.ts';
import type { Moment } from '../claim-machine/index.ts';
import { MAX_ID_JAG_LIFETIME } from '../lifetimes.ts';
import type { ServiceConfig, TrustedIssuer } from '../options.ts';
import { type JwtProblem, type JwtVerifier, verifyProviderJwt } from '../trust/index.ts';

/** An ID-JAG that passed every check but the ones that need the store. Times in ms. */
export interface VerifiedIdJag {
  readonly trusted: TrustedIssuer;
  readonly issuer: string;
  /** Empty for a provider without tenants. */
  readonly tenant: string;
  readonly subject: string;
  readonly jti: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Verified and normalized. */
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
}

export type IdJagResult =
  | { readonly ok: true; readonly idJag: VerifiedIdJag }
  | { readonly ok: false; readonly code: CodeAt<'identity'>; readonly description?: string };

const CODE_OF: Readonly<Record<JwtProblem, CodeAt<'identity'>>> = {
  not_a_jwt: 'invalid_request',
  wrong_type: 'invalid_request',
  bad_header: 'invalid_signature',
  unknown_issuer: 'invalid_issuer',
  no_key: 'invalid_signature',
  bad_signature: 'invalid_signature',
  keys_unavailable: 'temporarily_unavailable',
};

/**
 * Verifies an ID-JAG up to its `jti`, in the order of wire.md §3: shape and header, issuer,
 * signature, audience and times, verified email or phone, `auth_time`.
 */
export async function verifyIdJag(
  assertion: string,
  verifier: JwtVerifier,
  config: ServiceConfig,
  moment: Moment,
): Promise<IdJagResult> {
  const verified = await verifyProviderJwt(assertion, JWT_TYPE.idJag, verifier);
  if (!verified.ok) {
    const description = verified.problem === 'wrong_type' && 'The assertion is not an ID-JAG.';
    return fail(CODE_OF[verified.problem], description || undefined);
  }
  const parsed = idJagClaims.safeParse(verified.claims);
  if (!parsed.success) {
    const member = parsed.error.issues[0]?.path[0];
    return fail('invalid_request', `The claim ${String(member)} is missing or has the wrong type.`);
  }
  return checkClaims(parsed.data, verified.trusted, config, moment);
}

function checkClaims(
  claims: IdJagClaims,
  trusted: TrustedIssuer,
  config: ServiceConfig,
  { now, lifetimes, faults }: Moment,
): IdJagResult {
  const { clockSkew, maxAuthAge } = lifetimes;
  if (!isForUs(claims.aud, config) && !faults.has('audienceUnchecked')) {
    return fail('invalid_audience');
  }
  if (claims.client_id !== claims.iss && !trusted.clientIds.includes(claims.client_id)) {
    return fail('invalid_client_id');
  }
  const issuedAt = toMilliseconds(claims.iat);
  const expiresAt = toMilliseconds(claims.exp);
  if (now >= expiresAt + clockSkew || issuedAt > now + clockSkew) return fail('expired');
  if (claims.nbf !== undefined && toMilliseconds(claims.nbf) > now + clockSkew)
    return fail('expired');
  if (expiresAt - issuedAt > MAX_ID_JAG_LIFETIME) {
    return fail('invalid_request', 'The assertion lives longer than an hour.');
  }
  if (!isOurResource(claims.resource, config)) return fail('invalid_audience');

  const email = claims.email_verified === true ? normalizeEmail(claims.email ?? '') : undefined;
  const phone =
    claims.phone_number_verified === true && isPhoneNumber(claims.phone_number ?? '')
      ? claims.phone_number
      : undefined;
  if (email === undefined && phone === undefined) return fail('missing_verified_email');

  const recent = isRecent(claims.auth_time, now, maxAuthAge, clockSkew);
  if (!recent && !faults.has('signInAgeUnchecked')) return fail('login_required');

  const scopes =
    claims.scope === undefined
      ? config.scopes.post
      : config.scopes.post.filter((scope) => claims.scope?.split(' ').includes(scope));
  if (scopes.length === 0) return fail('invalid_request', 'The assertion names no scope of ours.');
  return {
    ok: true,
    idJag: {
      trusted,
      issuer: claims.iss,
      tenant: claims.tenant ?? '',
      subject: claims.sub,
      jti: claims.jti,
      issuedAt,
      expiresAt,
      email,
      phone,
      scopes,
      resource: [claims.resource].flat()[0],
    },
  };
}

/** A single value; an array of exactly one is the same (draft-ietf-oauth-identity-assertion-authz-grant §4.4.1). */
function isForUs(aud: string | readonly string[], config: ServiceConfig): boolean {
  const [audience, ...others] = [aud].flat();
  if (audience === undefined || others.length > 0) return false;
  // Our base is both issuer and resource; a path under it is a resource address alone.
  if (audience === config.issuer) return true;
  return config.acceptResourceAudience && config.isResource(audience);
}

function isOurResource(
  resource: string | readonly string[] | undefined,
  config: ServiceConfig,
): boolean {
  const [only, ...others] = [resource ?? []].flat();
  if (others.length > 0) return false;
  return only === undefined || config.isResource(only);
}

/** `auth_time` in seconds. Missing, too old or in the future: the user must sign in again (IDJ-21). */
function isRecent(
  authTime: number | undefined,
  now: number,
  maxAge: number,
  skew: number,
): boolean {
  if (authTime === undefined) return false;
  const at = toMilliseconds(authTime);
  return now - at <= maxAge && at <= now + skew;
}

function fail(code: CodeAt<'identity'>, description?: string): IdJagResult {
  return { ok: false, code, ...(description !== undefined && { description }) };
}
