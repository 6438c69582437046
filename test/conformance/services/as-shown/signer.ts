import { createRemoteJWKSet, decodeJwt, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import type { TrustedProvider } from '../support.ts';
import type { Identity } from './identities.ts';

/** The suite moves the clock of the service, and not that of jose, which waits between fetches. */
const OFTEN = { cooldownDuration: 0 };

type Key = Awaited<ReturnType<typeof generateKeyPair>>;

/** Signs the service's own assertions, and verifies those of the providers that it trusts. */
export class Signer {
  readonly #base: string;
  readonly #now: () => number;
  readonly #key: Key;
  readonly #keySets: ReadonlyMap<string, ReturnType<typeof createRemoteJWKSet>>;

  private constructor(
    base: string,
    trust: readonly TrustedProvider[],
    now: () => number,
    key: Key,
  ) {
    this.#base = base;
    this.#now = now;
    this.#key = key;
    this.#keySets = new Map(
      trust.map(({ issuer, jwksUri }) => [issuer, createRemoteJWKSet(new URL(jwksUri), OFTEN)]),
    );
  }

  static async create(base: string, trust: readonly TrustedProvider[], now: () => number) {
    return new Signer(base, trust, now, await generateKeyPair('ES256'));
  }

  /** The `identity_assertion` of an identity, in its present version. */
  assertionOf({ id, version }: Identity): Promise<string> {
    const seconds = Math.floor(this.#now() / 1000);
    return new SignJWT({ version })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(this.#base)
      .setAudience(this.#base)
      .setSubject(id)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 24 * 3600)
      .sign(this.#key.privateKey);
  }

  /** Undefined for what this service did not sign. */
  async readAssertion(
    text: string,
  ): Promise<{ readonly id: unknown; readonly version: unknown } | undefined> {
    try {
      const { payload } = await jwtVerify(text, this.#key.publicKey, {
        issuer: this.#base,
        audience: this.#base,
        currentDate: new Date(this.#now()),
      });
      return { id: payload.sub, version: payload['version'] };
    } catch {
      return undefined;
    }
  }

  /** The claims of what a trusted provider signed for this service; undefined for anything else. */
  async readSigned(text: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      const issuer = decodeJwt(text).iss ?? '';
      const keys = this.#keySets.get(issuer);
      if (keys === undefined) return undefined;
      const { payload } = await jwtVerify(text, keys, {
        issuer,
        audience: this.#base,
        currentDate: new Date(this.#now()),
      });
      return payload;
    } catch {
      return undefined;
    }
  }
}
