import { compactVerify, createLocalJWKSet, errors } from 'jose';
import { ACCEPTED_ALGORITHMS } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { JwkSet } from '../../protocol/jwk.ts';
import { type DecodedJwt, decodeJwt, isJwtType } from '../../protocol/jwt.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { FetchDocument } from './fetch-document.ts';

/** A provider's JWT, read and not verified. */
export interface ReadJwt extends DecodedJwt {
  /** The compact form that its signature was made over. */
  readonly token: string;
}

/** A check of the header, before a key is fetched. */
export interface HeaderCheck {
  readonly name: 'type' | 'algorithm' | 'key-name' | 'critical';
  readonly description: string;
  readonly problem: 'wrong_type' | 'bad_header';
  holds(header: JsonObject, type: string): boolean;
}

export type SignatureProblem = 'no_key' | 'bad_signature';

/** How a provider's JWT is verified: its steps, in their order. */
export interface JwtVerifier {
  /** `undefined`: it is no JWT. */
  read(text: string): ReadJwt | undefined;
  readonly headerChecks: readonly HeaderCheck[];
  /** The trusted issuer of these claims. `undefined`: none. */
  issuerOf(claims: JsonObject): Promise<TrustedIssuer | undefined>;
  /** How the documents of providers are fetched: their metadata and key sets. */
  readonly fetchDocument: FetchDocument;
  /** `undefined`: it is unavailable now. */
  keySet(trusted: TrustedIssuer, header: JsonObject): Promise<JwkSet | undefined>;
  /** Which URL did not answer then. */
  unavailableUrl(trusted: TrustedIssuer): string;
  signatureProblem(jwt: ReadJwt, keySet: JwkSet): Promise<SignatureProblem | undefined>;
}

type KeyResolver = ReturnType<typeof createLocalJWKSet>;

const MAX_KID_LENGTH = 256;

/**
 * Header members that carry or point to keys are ignored; `kid` is compared, never
 * resolved.
 */
export const HEADER_CHECKS: readonly HeaderCheck[] = [
  {
    name: 'type',
    description: '`typ` is that of the expected kind of token (RFC 8725 §3.11).',
    problem: 'wrong_type',
    holds: ({ typ }, type) => isJwtType(typ, type),
  },
  {
    name: 'algorithm',
    description: `\`alg\` is one of ${ACCEPTED_ALGORITHMS.join(', ')} (RFC 8725 §3.1).`,
    problem: 'bad_header',
    holds: ({ alg }) => ACCEPTED_ALGORITHMS.some((accepted) => accepted === alg),
  },
  {
    name: 'key-name',
    description: `\`kid\` is text of 1 to ${MAX_KID_LENGTH} characters.`,
    problem: 'bad_header',
    holds: ({ kid }) => typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID_LENGTH,
  },
  {
    name: 'critical',
    description:
      'There is neither `crit` nor `b64`: no extension is understood (RFC 7515 §4.1.11, RFC 7797).',
    problem: 'bad_header',
    holds: (header) => !('crit' in header) && !('b64' in header),
  },
];

/** What is known of the issuers that are trusted now. */
interface Issuers {
  readonly trust: { find(issuer: unknown): TrustedIssuer | undefined };
  readonly keys: {
    keySet(trusted: TrustedIssuer, kid: string): Promise<JwkSet | undefined>;
    unavailableUrl(trusted: TrustedIssuer): string;
  };
}

export function jwtVerifier({ keys, trust }: Issuers, fetchDocument: FetchDocument): JwtVerifier {
  const signatureProblem = signatureChecker();
  return {
    read: (text) => {
      const decoded = decodeJwt(text);
      return decoded && { token: text, ...decoded };
    },
    headerChecks: HEADER_CHECKS,
    fetchDocument,
    issuerOf: async ({ iss }) => trust.find(iss),
    keySet: (trusted, { kid }) => keys.keySet(trusted, String(kid)),
    unavailableUrl: (trusted) => keys.unavailableUrl(trusted),
    signatureProblem,
  };
}

function signatureChecker(): JwtVerifier['signatureProblem'] {
  // Its imported keys are kept for as long as a key set is at hand.
  const resolvers = new WeakMap<JwkSet, KeyResolver>();
  const resolverOf = (keySet: JwkSet): KeyResolver => {
    const resolver = resolvers.get(keySet) ?? createLocalJWKSet(keySet);
    resolvers.set(keySet, resolver);
    return resolver;
  };
  return async ({ token }, keySet) => {
    try {
      await compactVerify(token, resolverOf(keySet), { algorithms: [...ACCEPTED_ALGORITHMS] });
      return undefined;
    } catch (error) {
      const noKey =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys;
      return noKey ? 'no_key' : 'bad_signature';
    }
  };
}

/** Why a provider's JWT is not accepted, before any of its claims but `iss` is read. */
export type JwtProblem =
  | 'not_a_jwt'
  | HeaderCheck['problem']
  | 'unknown_issuer'
  | 'keys_unavailable'
  | SignatureProblem;

export interface FailedJwt {
  readonly ok: false;
  readonly problem: JwtProblem;
  /** What did not answer, with `keys_unavailable`. It is configured, or of the issuer's metadata. */
  readonly url?: string;
}

type JwtResult =
  | { readonly ok: true; readonly claims: JsonObject; readonly trusted: TrustedIssuer }
  | FailedJwt;

/** Checks a provider's JWT in the order of wire contract §3: shape and header, issuer, signature. */
export async function verifyProviderJwt(
  text: string,
  type: string,
  verifier: JwtVerifier,
): Promise<JwtResult> {
  const jwt = verifier.read(text);
  if (jwt === undefined) return fail('not_a_jwt');
  const { header, payload } = jwt;
  const failed = verifier.headerChecks.find((check) => !check.holds(header, type));
  if (failed !== undefined) return fail(failed.problem);
  const trusted = await verifier.issuerOf(payload);
  if (trusted === undefined) return fail('unknown_issuer');
  const keySet = await verifier.keySet(trusted, header);
  if (keySet === undefined) {
    return { ok: false, problem: 'keys_unavailable', url: verifier.unavailableUrl(trusted) };
  }
  const problem = await verifier.signatureProblem(jwt, keySet);
  return problem === undefined ? { ok: true, claims: payload, trusted } : fail(problem);
}

/** What the sender of a JWT is told. A query or user information may be secret; nothing of the JWT is in it. */
export function unavailableText(url: string): string {
  const { origin, pathname } = new URL(url);
  const shown = (origin + pathname).slice(0, 256);
  return `The keys of the issuer cannot be fetched: ${shown} gave no usable answer.`;
}

function fail(problem: JwtProblem): FailedJwt {
  return { ok: false, problem };
}
