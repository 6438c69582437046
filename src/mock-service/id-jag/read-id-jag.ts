import { normalizeEmail } from '../../protocol/email.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { toMilliseconds } from '../../protocol/jwt.ts';
import { isPhoneNumber } from '../../protocol/phone.ts';
import { type IdJagClaims, idJagClaims } from '../../protocol/schemas/assertions.ts';
import { isShortText, MAX_TEXT_BYTES } from '../../protocol/text.ts';
import type { ServiceConfig, TrustedIssuer } from '../config/config.ts';
import type { IdJag, IdJagRefusal } from './id-jag-checks.ts';

/** The issuer of the claims, and the service that reads them. */
export interface IdJagContext {
  readonly trusted: TrustedIssuer;
  readonly config: ServiceConfig;
}

export type IdJagResult =
  | { readonly ok: true; readonly idJag: IdJag }
  /** `claim`: the one that cannot be read, where it is one. */
  | { readonly ok: false; readonly claim?: string; readonly refusal: IdJagRefusal };

/** What is stored, looked up or shown. */
const SHORT_CLAIMS = [
  'sub',
  'jti',
  'tenant',
  'client_id',
  'email',
  'phone_number',
  'name',
  'acr',
  'resource',
  'agent_platform',
  'agent_context_id',
] as const satisfies readonly (keyof IdJagClaims)[];

/** Reads the signed claims of an ID-JAG. */
export function readIdJag(signed: JsonObject, { trusted, config }: IdJagContext): IdJagResult {
  const parsed = idJagClaims.safeParse(signed);
  if (!parsed.success) {
    const claim = String(parsed.error.issues[0]?.path[0]);
    const description = `The claim ${claim} is missing or has the wrong type.`;
    return { ok: false, claim, refusal: { code: 'invalid_request', description } };
  }
  const claims = parsed.data;
  const long = SHORT_CLAIMS.find((name) => isLong(claims[name]));
  if (long !== undefined) {
    const description = `The claim ${long} is longer than ${MAX_TEXT_BYTES} bytes.`;
    return { ok: false, claim: long, refusal: { code: 'invalid_request', description } };
  }
  return {
    ok: true,
    idJag: {
      trusted,
      issuer: claims.iss,
      tenant: claims.tenant ?? '',
      subject: claims.sub,
      jti: claims.jti,
      audiences: [claims.aud].flat(),
      clientId: claims.client_id,
      issuedAt: toMilliseconds(claims.iat),
      expiresAt: toMilliseconds(claims.exp),
      notBefore: toMilliseconds(claims.nbf ?? 0),
      signedInAt: claims.auth_time === undefined ? undefined : toMilliseconds(claims.auth_time),
      email: verifiedEmail(claims),
      phone: verifiedPhone(claims),
      resources: [claims.resource ?? []].flat(),
      scopes: commonScopes(claims, config),
    },
  };
}

function isLong(claim: string | readonly string[] | undefined): boolean {
  if (claim === undefined) return false;
  return typeof claim === 'string' ? !isShortText(claim) : !claim.every(isShortText);
}

function verifiedEmail({ email, email_verified: verified }: IdJagClaims): string | undefined {
  return verified === true && email !== undefined ? normalizeEmail(email) : undefined;
}

function verifiedPhone({
  phone_number: phone,
  phone_number_verified: verified,
}: IdJagClaims): string | undefined {
  return verified === true && phone !== undefined && isPhoneNumber(phone) ? phone : undefined;
}

/** The scopes of ours that an ID-JAG allows: without `scope` everything that a user can give. */
function commonScopes({ scope }: IdJagClaims, { scopes }: ServiceConfig): readonly string[] {
  const named = scope?.split(' ');
  return scopes.postClaim.filter((own) => named?.includes(own) ?? true);
}
