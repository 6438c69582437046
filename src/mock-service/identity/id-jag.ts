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
import { readClaimsCarelessly, refusesRightClaims } from './careless-claims.ts';

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
  const claims = readClaimsCarelessly(verified.claims, moment);
  const { faults } = moment;
  if (faults.has('clientDocumentFetched')) {
    await verifier.keys.keySet(String(claims['client_id']), '');
  }
  if (faults.has('claimedKeysFetched') && typeof claims['jwks_uri'] === 'string') {
    await verifier.keys.keySet(claims['jwks_uri'], '');
  }
  if (refusesRightClaims(claims, moment)) return fail('invalid_request');
  const parsed = idJagClaims.safeParse(claims);
  if (!parsed.success) {
    const member = parsed.error.issues[0]?.path[0];
    return fail('invalid_request', `The claim ${String(member)} is missing or has the wrong type.`);
  }
  const result = checkClaims(parsed.data, verified.trusted, config, moment);
  if (!result.ok || !faults.has('replayToldBySignature')) return result;
  return { ok: true, idJag: { ...result.idJag, jti: `${result.idJag.jti} ${assertion}` } };
}

function checkClaims(
  claims: IdJagClaims,
  trusted: TrustedIssuer,
  config: ServiceConfig,
  { now, lifetimes, faults }: Moment,
): IdJagResult {
  const { maxAuthAge } = lifetimes;
  const clockSkew = faults.has('noSkew') ? 0 : lifetimes.clockSkew;
  const email = verifiedEmail(claims, faults);
  if (faults.has('addressLookedAtFirst') && email === undefined && !claims.phone_number) {
    return fail('missing_verified_email');
  }
  if (!isForUs(claims.aud, config) && !isTakenAnyway(claims.aud, config, faults)) {
    return fail('invalid_audience');
  }
  const ownClient = claims.client_id === claims.iss || trusted.clientIds.includes(claims.client_id);
  if (!ownClient && !faults.has('clientUnchecked')) return fail('invalid_client_id');

  const issuedAt = toMilliseconds(claims.iat);
  const expiresAt = toMilliseconds(claims.exp);
  const notBefore = toMilliseconds(claims.nbf ?? 0);
  if (now >= expiresAt + clockSkew && !faults.has('expiryUnchecked')) return fail('expired');
  if (issuedAt > now + clockSkew && !faults.has('issuedLaterAccepted')) return fail('expired');
  if (notBefore > now + clockSkew && !faults.has('notBeforeUnchecked')) return fail('expired');
  if (expiresAt - issuedAt > MAX_ID_JAG_LIFETIME && !faults.has('longLifeAccepted')) {
    return fail('invalid_request', 'The assertion lives longer than an hour.');
  }
  if (!isOurResource(claims.resource, config) && !faults.has('resourceClaimUnchecked')) {
    return fail('invalid_audience');
  }
  const phone =
    claims.phone_number_verified === true && isPhoneNumber(claims.phone_number ?? '')
      ? claims.phone_number
      : undefined;
  if (email === undefined && (phone === undefined || faults.has('phoneRefused'))) {
    return fail('missing_verified_email');
  }

  const recent = isRecent(claims.auth_time, now, maxAuthAge, clockSkew);
  if (!recent && !faults.has('signInAgeUnchecked')) return fail('login_required');

  const named = faults.has('scopeClaimIgnored') ? undefined : claims.scope?.split(' ');
  const common = config.scopes.post.filter((scope) => named?.includes(scope) ?? true);
  const widened = common.length === 0 && faults.has('foreignScopeWidened');
  const scopes = widened ? config.scopes.post : common;
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
      resource: faults.has('resourceClaimUnbound') ? undefined : [claims.resource].flat()[0],
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

/** The address that the provider vouches for, normalized; a fault takes what it does not vouch for. */
function verifiedEmail(
  { email, email_verified: verified }: IdJagClaims,
  faults: Moment['faults'],
): string | undefined {
  const vouched =
    verified === true || faults.has('unverifiedAccepted') || faults.has('unverifiedLinked');
  if (!vouched || email === undefined) return undefined;
  const folds = faults.has('oddAddressAccepted') || faults.has('lookAlikeLinked');
  const read = folds ? email.normalize('NFKC').replace(/[^\x21-\x7e]|["<>]/g, '') : email;
  const normal = normalizeEmail(read);
  return normal !== undefined && faults.has('emailCaseTold') ? read : normal;
}

/** What a service with the mistake takes for its own. */
function isTakenAnyway(
  aud: string | readonly string[],
  { issuer, isResource }: ServiceConfig,
  faults: Moment['faults'],
): boolean {
  const audiences = [aud].flat();
  const [audience = '', ...others] = audiences;
  const one = others.length === 0;
  return (
    faults.has('audienceUnchecked') ||
    (faults.has('anyOfAudiences') && audiences.includes(issuer)) ||
    (faults.has('audienceByPrefix') && one && audience.startsWith(issuer)) ||
    (faults.has('resourceIsAudience') && one && isResource(audience))
  );
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
