import type { Faults, KeyRing } from '../mock/index.ts';
import { decodeJwt, isJwtType, JWT_TYPE, SECOND } from '../protocol/index.ts';
import { type Clock, type Random, randomToken } from '../runtime/index.ts';
import type { ProviderFault } from './faults/index.ts';
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
  readonly #faults: Faults<ProviderFault>;

  constructor(
    config: ProviderConfig,
    keys: KeyRing,
    clock: Clock,
    random: Random,
    faults: Faults<ProviderFault>,
  ) {
    this.#config = config;
    this.#keys = keys;
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
  }

  /** @param authTime in milliseconds. */
  async sign(user: User, authTime: number): Promise<string> {
    const { clientId, issuer, lifetimes } = this.#config;
    const iat = Math.floor(this.#clock.now() / SECOND);
    const token = await this.#keys.sign(JWT_TYPE.idToken, {
      iss: issuer,
      sub: subjectOf(issuer, user.email),
      aud: this.#faults.has('idTokenAudienceForeign') ? 'another-client' : clientId,
      jti: randomToken(this.#random, ''),
      iat,
      exp: iat + Math.ceil(lifetimes.idToken / SECOND),
      auth_time: Math.floor(authTime / SECOND),
      ...userClaims(user),
    });
    return this.#faults.has('idTokenTampered') ? tamper(token) : token;
  }

  /**
   * The claims of an ID token that this provider issued to its client and that is not over. Another
   * kind of JWT is none, though the same key signed it (RFC 8725 §3.12).
   */
  async verify(token: string): Promise<IdTokenClaims | undefined> {
    const decoded = decodeJwt(token);
    const faults = this.#faults;
    if (decoded !== undefined && 'odd' in decoded.header && faults.has('oddMembersFatal')) {
      throw new TypeError('An odd member.');
    }
    const anyKind = faults.has('kindsConfused');
    if (!anyKind && !isJwtType(decoded?.header['typ'], JWT_TYPE.idToken)) return undefined;
    const unsigned =
      faults.has('subjectSignatureUnchecked') ||
      (faults.has('unsignedSubjectTaken') && /^none$/i.test(String(decoded?.header['alg'])));
    const claims = unsigned ? decoded?.payload : await this.#keys.verifyOwn(token);
    if (claims === undefined || faults.has('idTokensRefused')) return undefined;
    const { aud, auth_time: authTime, email, exp, iss, sub } = claims;
    const { clientId, issuer } = this.#config;
    if (iss !== issuer || (aud !== clientId && !anyKind)) return undefined;
    const endless = faults.has('sessionNeverEnds');
    if (typeof exp !== 'number' || (this.#clock.now() >= exp * SECOND && !endless))
      return undefined;
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

/** A JWT with other bits in its signature. */
export function tamper(token: string): string {
  const at = token.lastIndexOf('.') + 5;
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}
