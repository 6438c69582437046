import type { KeyRing } from '../mock/index.ts';
import { decodeJwt, isJwtType, JWT_TYPE, SECOND } from '../protocol/index.ts';
import { type Clock, type Random, randomToken } from '../runtime/index.ts';
import type { ProviderConfig } from './options.ts';
import { subjectOf, type User } from './store/user-store.ts';

/** What an ID token says that others build on. */
export interface IdTokenClaims {
  readonly email: string;
  /** When the user signed in, in seconds. */
  readonly authTime: number;
}

/** Issues the ID tokens that a sign-in ends in, and checks them when they come back. */
export class IdTokens {
  readonly #config: ProviderConfig;
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(config: ProviderConfig, keys: KeyRing, clock: Clock, random: Random) {
    this.#config = config;
    this.#keys = keys;
    this.#clock = clock;
    this.#random = random;
  }

  /** @param authTime in milliseconds. */
  async sign(user: User, authTime: number): Promise<string> {
    const { clientId, issuer, lifetimes } = this.#config;
    const iat = Math.floor(this.#clock.now() / SECOND);
    return this.#keys.sign(JWT_TYPE.idToken, {
      iss: issuer,
      sub: subjectOf(issuer, user.email),
      aud: clientId,
      jti: randomToken(this.#random, ''),
      iat,
      exp: iat + Math.ceil(lifetimes.idToken / SECOND),
      auth_time: Math.floor(authTime / SECOND),
      ...userClaims(user),
    });
  }

  /**
   * The claims of an ID token that this provider issued to its client and that is not over. Another
   * kind of JWT is none, though the same key signed it (RFC 8725 §3.12).
   */
  async verify(token: string): Promise<IdTokenClaims | undefined> {
    const header = decodeJwt(token)?.header;
    if (!isJwtType(header?.['typ'], JWT_TYPE.idToken)) return undefined;
    const claims = await this.#keys.verifyOwn(token);
    if (claims === undefined) return undefined;
    const { aud, auth_time: authTime, email, exp, iss, sub } = claims;
    const { clientId, issuer } = this.#config;
    if (iss !== issuer || aud !== clientId) return undefined;
    if (typeof exp !== 'number' || this.#clock.now() >= exp * SECOND) return undefined;
    if (typeof email !== 'string' || typeof authTime !== 'number') return undefined;
    return sub === subjectOf(issuer, email) ? { email, authTime } : undefined;
  }
}

/** The claims about a user that an ID token and an ID-JAG share. */
export function userClaims({ email, emailVerified, name, phone, tenant }: User) {
  return {
    email,
    email_verified: emailVerified,
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone_number: phone, phone_number_verified: true }),
    ...(tenant !== undefined && { tenant }),
  };
}
