import { replacing } from '../../mock/config/replacing.ts';
import type { KeyRing } from '../../mock/keys/key-ring.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { decodeJwt, isJwtType } from '../../protocol/jwt.ts';
import {
  type IdentityAssertionClaims,
  identityAssertionClaims,
} from '../../protocol/schemas/assertions.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { AssertionTimes, RegistrationFacts } from '../claim-machine/facts.ts';
import { stateOf } from '../claim-machine/machine.ts';
import type { AssertionForm } from '../dialects/dialect.ts';

/** Signs and checks the service's own `identity_assertion` (wire contract §3). */
export class IdentityAssertions {
  readonly #issuer: string;
  readonly #keys: KeyRing;
  readonly #clock: Clock;

  constructor(issuer: string, keys: KeyRing, clock: Clock) {
    this.#issuer = issuer;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Seconds are rounded down, so that `exp` is never later than what the store holds. */
  async sign(facts: RegistrationFacts, times: AssertionTimes): Promise<string> {
    const known = stateOf(facts, this.#clock.now()) === 'claimed' ? facts.email : undefined;
    return this.#keys.sign(JWT_TYPE.identityAssertion, {
      iss: this.#issuer,
      aud: this.#issuer,
      sub: facts.id,
      jti: times.jti,
      iat: Math.floor(times.issuedAt / SECOND),
      exp: Math.floor(times.expiresAt / SECOND),
      ver: facts.version,
      ...(known !== undefined && { email: known, email_verified: true }),
    });
  }

  /** The claims of an authentic assertion that has not expired; its registration is not read. */
  async verify(assertion: string): Promise<IdentityAssertionClaims | undefined> {
    const { header, payload } = (await this.#keys.verifyOwn(assertion)) ?? {};
    // Nothing else that these keys sign is an identity assertion.
    if (!isJwtType(header?.['typ'], JWT_TYPE.identityAssertion)) return undefined;
    const parsed = identityAssertionClaims.safeParse(payload);
    if (!parsed.success) return undefined;
    const { iss, aud, exp } = parsed.data;
    const ours = iss === this.#issuer && aud === this.#issuer;
    return ours && this.#clock.now() < exp * SECOND ? parsed.data : undefined;
  }
}

/** The same assertions in another form. Left out: as they are. */
export function writtenAs(
  assertions: IdentityAssertions,
  form: AssertionForm | undefined,
): IdentityAssertions {
  if (form === undefined) return assertions;
  return replacing(assertions, {
    sign: async (facts, times) => form.write(await assertions.sign(facts, times)),
    verify: async (text) => {
      const jwt = form.read(text);
      return jwt === undefined ? undefined : assertions.verify(jwt);
    },
  });
}

/** Whether the `typ` of a token is that of an identity assertion; its signature is not checked. */
export function isIdentityAssertion(token: string): boolean {
  return isJwtType(decodeJwt(token)?.header['typ'], JWT_TYPE.identityAssertion);
}
