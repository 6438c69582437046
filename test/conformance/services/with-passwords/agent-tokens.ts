import { randomBytes, randomUUID, type webcrypto } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import type { Registration, Registrations } from './registrations.ts';
import { sha256 } from './registrations.ts';
import { LIFE } from './site.ts';

const TYP = 'agent-identity+jwt';

interface AccessToken {
  readonly registrationId: string;
  readonly version: number;
  readonly scope: readonly string[];
  readonly resource: string;
  readonly endsAt: number;
}

/** What this service issues: signed assertions and opaque access tokens. */
export class AgentTokens {
  readonly #access = new Map<string, AccessToken>();
  readonly #base: string;
  readonly #now: () => number;
  readonly #registrations: Registrations;
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly jwk: JWK;

  private constructor(
    base: string,
    now: () => number,
    registrations: Registrations,
    keys: webcrypto.CryptoKeyPair,
    jwk: JWK,
  ) {
    this.#base = base;
    this.#now = now;
    this.#registrations = registrations;
    this.#keys = keys;
    this.jwk = jwk;
  }

  static async create(
    base: string,
    now: () => number,
    registrations: Registrations,
  ): Promise<AgentTokens> {
    const keys = await generateKeyPair('ES256');
    const jwk = {
      ...(await exportJWK(keys.publicKey)),
      kid: randomUUID(),
      alg: 'ES256',
      use: 'sig',
    };
    return new AgentTokens(base, now, registrations, keys, jwk);
  }

  async assert(
    registration: Registration,
  ): Promise<{ readonly assertion: string; readonly endsAt: number }> {
    const at = Math.floor(this.#now() / 1000);
    const claimed = registration.claimed !== undefined;
    const unclaimed = registration.type !== 'identity_assertion' && !claimed;
    const exp = unclaimed
      ? Math.floor(registration.windowEndsAt / 1000)
      : at + (registration.version === 2 ? LIFE.claimedAssertion : LIFE.assertion);
    const email = registration.email;
    const known = claimed && email !== undefined ? { email, email_verified: true } : {};
    const assertion = await new SignJWT({ ver: registration.version, ...known })
      .setProtectedHeader({ alg: 'ES256', typ: TYP, kid: this.jwk.kid ?? '' })
      .setIssuer(this.#base)
      .setAudience(this.#base)
      .setSubject(registration.id)
      .setJti(randomUUID())
      .setIssuedAt(at)
      .setExpirationTime(exp)
      .sign(this.#keys.privateKey);
    return { assertion, endsAt: exp * 1000 };
  }

  /** The registration of an assertion that is in force. */
  async read(assertion: string): Promise<Registration | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(assertion, this.#keys.publicKey, {
        algorithms: ['ES256'],
        issuer: this.#base,
        audience: this.#base,
        typ: TYP,
        requiredClaims: ['sub', 'exp', 'jti'],
        currentDate: new Date(this.#now()),
        // RFC 7523 §3 allows for clocks that differ.
        clockTolerance: 60,
      });
      if (protectedHeader.kid !== this.jwk.kid) return undefined;
      const registration = this.#registrations.byId(payload.sub ?? '');
      return registration?.version === payload['ver'] ? registration : undefined;
    } catch {
      return undefined;
    }
  }

  issue(registration: Registration, scope: readonly string[], resource: string): string {
    const token = `pat-${randomBytes(24).toString('base64url')}`;
    this.#access.set(sha256(token), {
      registrationId: registration.id,
      version: registration.version,
      scope,
      resource,
      endsAt: this.#now() + LIFE.accessToken * 1000,
    });
    return token;
  }

  revoke(token: string): void {
    this.#access.delete(sha256(token));
  }

  /** None where it is unknown, over, or its registration is. */
  use(
    token: string,
  ): { readonly registration: Registration; readonly token: AccessToken } | undefined {
    const kept = this.#access.get(sha256(token));
    const registration = this.#registrations.byId(kept?.registrationId ?? '');
    if (kept === undefined || registration === undefined) return undefined;
    const state = this.#registrations.state(registration);
    const live =
      state !== 'revoked' && state !== 'expired' && kept.version === registration.version;
    return live && this.#now() < kept.endsAt ? { registration, token: kept } : undefined;
  }
}
