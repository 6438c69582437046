import type { WireProblem } from '../../mock/http/response.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { decodeJwt } from '../../protocol/jwt.ts';
import { MAX_TEXT_BYTES } from '../../protocol/text.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { RedemptionRefusal } from '../store/client-token-store.ts';
import type { HeaderCheck, JwtVerifier } from '../trust/jwt-verifier.ts';
import { type FailedJwt, unavailableText } from '../trust/jwt-verifier.ts';
import type { TrustList } from '../trust/trust-list.ts';
import type { RedemptionCheck, RedemptionFacts } from './redemption-checks.ts';
import type { Asked } from './redemption-target.ts';

/** Why an ID-JAG is refused: for the log and the record of the exchange, never for the wire (EMA §7.4.2). */
export type Why = {
  /** What failed. */
  readonly check: string;
  /** The claim, or the member of the header. */
  readonly claim?: string | undefined;
  readonly expected?: string | undefined;
  /** What was seen, as JSON; left out where there was nothing. */
  readonly seen?: string | undefined;
};

const MEMBERS: Readonly<Record<HeaderCheck['name'], string>> = {
  type: 'typ',
  algorithm: 'alg',
  'key-name': 'kid',
  critical: 'crit',
};

/** Before its claims were read. */
export function whyUnverified(
  { problem, url }: FailedJwt,
  assertion: string,
  { headerChecks }: Pick<JwtVerifier, 'headerChecks'>,
): Why {
  const header = decodeJwt(assertion)?.header ?? {};
  const failed = headerChecks.find((check) => !check.holds(header, JWT_TYPE.idJag));
  if (failed !== undefined) {
    const expected = failed.name === 'type' ? JWT_TYPE.idJag : failed.description;
    return { check: problem, ...of(header, MEMBERS[failed.name]), expected };
  }
  const kid = of(header, 'kid');
  switch (problem) {
    case 'no_key':
      return { check: problem, ...kid, expected: 'a key that the provider publishes' };
    case 'bad_signature':
      return { check: problem, ...kid, expected: 'a signature by this key' };
    case 'keys_unavailable':
      return { check: problem, expected: url && unavailableText(url) };
    default:
      return { check: problem };
  }
}

/** Why an assertion is refused that comes from nobody who is trusted. */
export function whyUntrusted(assertion: string, trust: Pick<TrustList, 'list'>): Why {
  const issuers = trust.list().map(({ issuer }) => issuer);
  const expected = `a trusted provider: ${issuers.join(', ') || 'there is none'}`;
  return { check: 'issuer', ...of(decodeJwt(assertion)?.payload ?? {}, 'iss'), expected };
}

/** Why a claim could not be read: it is missing or of another type, or too long. */
export function whyUnread(claims: JsonObject, claim: string | undefined): Why {
  const expected = `of the type that ID-JAG §3.1 has, of at most ${MAX_TEXT_BYTES} bytes`;
  return { check: 'claims', ...(claim !== undefined && of(claims, claim)), expected };
}

export function whyFailed(
  { claim, description, expected, name }: RedemptionCheck,
  facts: RedemptionFacts,
): Why {
  return { check: name, ...of(facts.claims, claim), expected: expected?.(facts) ?? description };
}

/** Why the store refuses an assertion: it knows what was before. */
export function whyNotTaken(check: RedemptionRefusal, claims: JsonObject): Why {
  switch (check) {
    case 'used':
      return { check, ...of(claims, 'jti'), expected: 'one that was not redeemed before' };
    case 'revoked':
      return { check, ...of(claims, 'iat'), expected: 'later than the event that revoked it' };
    case 'no_account':
      return { check, ...of(claims, 'sub'), expected: 'a user who has an account here' };
  }
}

/** Claim and request leave nothing that a token could be for. */
export function whyNoTarget(
  { code }: WireProblem,
  claims: JsonObject,
  asked: Asked,
  { scopes }: Pick<ServiceConfig, 'scopes'>,
): Why {
  const check = 'target';
  if (code === 'invalid_target') {
    const expected =
      asked.resource ?? 'one resource, as neither it nor the request names one alone';
    return { check, ...of(claims, 'resource'), expected };
  }
  const known = (code === 'invalid_scope' && asked.scopes) || scopes.postClaim;
  return { check, ...of(claims, 'scope'), expected: `some of ${known.join(' ')}` };
}

function of(members: JsonObject, claim: string): Pick<Why, 'claim' | 'seen'> {
  return { claim, seen: JSON.stringify(members[claim]) };
}
