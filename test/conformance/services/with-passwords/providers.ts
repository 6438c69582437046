import {
  compactVerify,
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTHeaderParameters,
} from 'jose';
import type { TrustedProvider } from '../support.ts';
import { Refusal } from './site.ts';

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Milliseconds: how long keys are kept, and how soon they are looked at again for an unknown one. */
const KEEP = 300_000;
const LOOK_AGAIN = 2_000;

const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'];

/** A JWT of a provider whose signature is good. Claims are not judged yet. */
export interface Signed {
  readonly issuer: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Whom this service believes, and their keys. */
export class Providers {
  readonly #uris: ReadonlyMap<string, string>;
  readonly #kept = new Map<string, { readonly keys: Keys; readonly at: number }>();
  readonly #now: () => number;

  constructor(trust: readonly TrustedProvider[], now: () => number) {
    this.#uris = new Map(trust.map(({ issuer, jwksUri }) => [issuer, jwksUri]));
    this.#now = now;
  }

  /** Throws a Refusal: `invalid_request`, `invalid_issuer`, `invalid_signature`, or 503. */
  async verify(jwt: string, typ: string): Promise<Signed> {
    const { header, claims } = decode(jwt);
    const said = String(header.typ)
      .toLowerCase()
      .replace(/^application\//, '');
    if (said !== typ || header['crit'] !== undefined || typeof header.kid !== 'string')
      throw new Refusal(
        400,
        'invalid_request',
        `Send a JWT with typ ${typ} and kid, without crit.`,
      );
    const issuer = claims['iss'];
    const uri = typeof issuer === 'string' ? this.#uris.get(issuer) : undefined;
    if (typeof issuer !== 'string' || uri === undefined)
      throw new Refusal(400, 'invalid_issuer', 'This service does not trust that issuer.');
    if (!ALGORITHMS.includes(header.alg)) throw badSignature();
    try {
      await this.#judge(jwt, uri);
    } catch (error) {
      if (isAboutTheJwt(error)) throw badSignature();
      throw new Refusal(503, 'temporarily_unavailable', 'The keys of the issuer cannot be read.');
    }
    return { issuer, claims };
  }

  /** A key that is not among those of a while ago may be new. */
  async #judge(jwt: string, uri: string): Promise<void> {
    const options = { algorithms: ALGORITHMS };
    try {
      await compactVerify(jwt, this.#keysOf(uri, KEEP), options);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await compactVerify(jwt, this.#keysOf(uri, LOOK_AGAIN), options);
    }
  }

  #keysOf(uri: string, oldest: number): Keys {
    const kept = this.#kept.get(uri);
    if (kept !== undefined && this.#now() - kept.at < oldest) return kept.keys;
    const options = { timeoutDuration: 4000, cacheMaxAge: Number.POSITIVE_INFINITY };
    const keys = createRemoteJWKSet(new URL(uri), { ...options, cooldownDuration: KEEP });
    this.#kept.set(uri, { keys, at: this.#now() });
    return keys;
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
