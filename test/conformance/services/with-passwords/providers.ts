import {
  compactVerify,
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTHeaderParameters,
} from 'jose';
import type { TrustedProvider } from '../support.ts';
import { Refusal } from './site.ts';

const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'];

/** A JWT of a provider whose signature is good. Claims are not judged yet. */
export interface Signed {
  readonly issuer: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Whom this service believes, and their keys. */
export class Providers {
  readonly #keys: ReadonlyMap<string, ReturnType<typeof createRemoteJWKSet>>;

  constructor(trust: readonly TrustedProvider[]) {
    this.#keys = new Map(
      trust.map(({ issuer, jwksUri }) => [
        issuer,
        createRemoteJWKSet(new URL(jwksUri), { cooldownDuration: 1000, timeoutDuration: 4000 }),
      ]),
    );
  }

  /** Throws a Refusal: `invalid_request`, `invalid_issuer`, `invalid_signature`, or 503. */
  async verify(jwt: string, typ: string): Promise<Signed> {
    const { header, claims } = decode(jwt);
    if (header.typ !== typ || header['crit'] !== undefined || typeof header.kid !== 'string')
      throw new Refusal(
        400,
        'invalid_request',
        `Send a JWT with typ ${typ} and kid, without crit.`,
      );
    const issuer = claims['iss'];
    const keys = typeof issuer === 'string' ? this.#keys.get(issuer) : undefined;
    if (typeof issuer !== 'string' || keys === undefined)
      throw new Refusal(400, 'invalid_issuer', 'This service does not trust that issuer.');
    if (!ALGORITHMS.includes(header.alg)) throw badSignature();
    try {
      await compactVerify(jwt, keys, { algorithms: ALGORITHMS });
    } catch (error) {
      if (isAboutTheJwt(error)) throw badSignature();
      throw new Refusal(503, 'temporarily_unavailable', 'The keys of the issuer cannot be read.');
    }
    return { issuer, claims };
  }
}

function decode(jwt: string): {
  readonly header: JWTHeaderParameters;
  readonly claims: Readonly<Record<string, unknown>>;
} {
  try {
    const parts = jwt.split('.');
    const payload = Buffer.from(parts[1] ?? '', 'base64url');
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    if (
      parts.length !== 3 ||
      typeof claims !== 'object' ||
      claims === null ||
      Array.isArray(claims)
    )
      throw new TypeError('not a JWT');
    const header = decodeProtectedHeader(jwt);
    return { header: { ...header, alg: header.alg ?? 'none' }, claims: { ...claims } };
  } catch {
    throw new Refusal(400, 'invalid_request', 'That is not a JWT.');
  }
}

function badSignature(): Refusal {
  return new Refusal(400, 'invalid_signature', 'The signature is not one of this issuer’s keys.');
}

const ABOUT_THE_JWT: readonly string[] = [
  errors.JWSSignatureVerificationFailed.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWSInvalid.code,
];

function isAboutTheJwt(error: unknown): boolean {
  return error instanceof errors.JOSEError
    ? ABOUT_THE_JWT.includes(error.code)
    : error instanceof TypeError && !/fetch/i.test(error.message);
}
