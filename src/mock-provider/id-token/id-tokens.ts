import type { KeyRing } from '../../mock/keys/key-ring.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { User } from '../users/user-store.ts';
import { changedByRules } from './changed-jwt.ts';
import type { idTokenOf } from './id-token.ts';
import type { IdTokenCheck, IdTokenFacts } from './id-token-checks.ts';

/** The claims of an ID token that are used. */
interface IdTokenClaims {
  readonly email: string;
  /** When the user signed in, in seconds. */
  readonly authTime: number;
}

/** What ID tokens are issued and checked with. */
interface IdTokenIssuer {
  readonly clock: Clock;
  readonly config: ProviderConfig;
  readonly decisions: {
    readonly idToken: typeof idTokenOf;
    readonly idTokenChecks: readonly IdTokenCheck[];
  };
  readonly keys: Pick<KeyRing, 'sign' | 'verifyOwn'>;
  readonly random: Random;
}

/** Issues the ID tokens that a sign-in ends in, and checks them when they come back. */
export class IdTokens {
  readonly #issuer: () => IdTokenIssuer;

  /** @param issuer as it is wired at the time of a call. */
  constructor(issuer: () => IdTokenIssuer) {
    this.#issuer = issuer;
  }

  /** @param authTime in milliseconds. */
  async sign(
    user: User,
    authTime: number,
    to: { readonly clientId: string; readonly nonce?: string | undefined },
  ): Promise<string> {
    const { clock, config, decisions, keys, random } = this.#issuer();
    const jti = randomToken(random, '');
    const content = decisions.idToken({ config, user, authTime, now: clock.now(), jti, ...to });
    const whom = { user: user.email, client: to.clientId };
    const { typ, claims, header } = changedByRules(content, config.claims, 'id_token', whom);
    return keys.sign(typ, claims, header);
  }

  /** The claims of a valid ID token of this client. */
  async verify(token: string, clientId: string): Promise<IdTokenClaims | undefined> {
    const { clock, config, decisions, keys } = this.#issuer();
    const verified = await keys.verifyOwn(token);
    if (verified === undefined) return undefined;
    const { header, payload: claims } = verified;
    const facts: IdTokenFacts = { header, claims, config, clientId, now: clock.now() };
    if (!decisions.idTokenChecks.every(({ holds }) => holds(facts))) return undefined;
    const { auth_time: authTime, email } = claims;
    if (typeof email !== 'string' || typeof authTime !== 'number') return undefined;
    return { email, authTime };
  }
}
