import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { TrustedProvider } from './listen.ts';

/** Asymmetric ones alone (RFC 8725 §3.1): a public key never serves as a shared secret. */
const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
const SKEW_SECONDS = 30;
const FETCH_MILLISECONDS = 3000;
const REFETCHES_A_MINUTE = 20;

/** Why a signed text is not believed. `unavailable`: the keys could not be had, try again. */
export class Distrust extends Error {
  readonly kind: 'malformed' | 'issuer' | 'signature' | 'expired' | 'unavailable';

  constructor(kind: Distrust['kind']) {
    super(kind);
    this.kind = kind;
  }
}

type Getter = ReturnType<typeof createLocalJWKSet>;

/** The keys of the trusted providers, fetched when first needed and again for an unknown `kid`. */
export class KeySets {
  readonly #trust: readonly TrustedProvider[];
  readonly #now: () => number;
  readonly #cached = new Map<string, Promise<Getter>>();
  readonly #fetches: number[] = [];

  constructor(trust: readonly TrustedProvider[], now: () => number) {
    this.#trust = trust;
    this.#now = now;
  }

  /** Signature, `typ`, issuer and times; what else is in the payload is for the caller. */
  async open(token: string, typ: string): Promise<JWTPayload & { readonly iss: string }> {
    const iss = issuerOf(token);
    const provider = this.#trust.find((candidate) => candidate.issuer === iss);
    if (provider === undefined) throw new Distrust('issuer');
    const { payload } = await jwtVerify(token, this.#getterFor(provider), {
      algorithms: ALGORITHMS,
      typ,
      issuer: provider.issuer,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(this.#now()),
    }).catch((error: unknown) => {
      throw distrust(error);
    });
    return { ...payload, iss: provider.issuer };
  }

  #getterFor(provider: TrustedProvider): JWTVerifyGetKey {
    return async (header, token) => {
      const cached = this.#cached.get(provider.jwksUri);
      if (cached !== undefined) {
        try {
          return await (await cached)(header, token);
        } catch (error) {
          // A rotated key is not in the copy yet. A sender of made-up ids must not drive the fetches.
          if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayFetch()) throw error;
        }
      }
      return (await this.#fetch(provider.jwksUri))(header, token);
    };
  }

  #mayFetch(): boolean {
    const minuteAgo = this.#now() - 60_000;
    while ((this.#fetches[0] ?? Number.POSITIVE_INFINITY) < minuteAgo) this.#fetches.shift();
    return this.#fetches.length < REFETCHES_A_MINUTE;
  }

  #fetch(jwksUri: string): Promise<Getter> {
    this.#fetches.push(this.#now());
    const pending = fetchKeys(jwksUri);
    this.#cached.set(jwksUri, pending);
    pending.catch(() => this.#cached.delete(jwksUri));
    return pending;
  }
}

async function fetchKeys(jwksUri: string): Promise<Getter> {
  try {
    const response = await fetch(jwksUri, {
      redirect: 'error',
      signal: AbortSignal.timeout(FETCH_MILLISECONDS),
    });
    if (!response.ok) throw new Distrust('unavailable');
    return createLocalJWKSet((await response.json()) as JSONWebKeySet);
  } catch {
    throw new Distrust('unavailable');
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new Distrust('malformed');
  }
}

function distrust(error: unknown): Distrust {
  if (error instanceof Distrust) return error;
  if (error instanceof errors.JWTExpired) return new Distrust('expired');
  if (error instanceof errors.JWTClaimValidationFailed) return new Distrust('malformed');
  if (error instanceof errors.JWTInvalid) return new Distrust('malformed');
  return new Distrust('signature');
}
