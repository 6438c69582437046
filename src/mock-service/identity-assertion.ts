import type { Faults, KeyRing } from '../mock/index.ts';
import {
  decodeJwt,
  type IdentityAssertionClaims,
  identityAssertionClaims,
  isJwtType,
  JWT_TYPE,
  SECOND,
} from '../protocol/index.ts';
import type { Clock } from '../runtime/index.ts';
import { type AssertionTimes, type RegistrationFacts, stateOf } from './claim-machine/index.ts';
import type { ServiceFault } from './faults/index.ts';

/** Signs and checks the service's own `identity_assertion` (wire.md §3). */
export class IdentityAssertions {
  readonly #issuer: string;
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #faults: Faults<ServiceFault>;

  constructor(issuer: string, keys: KeyRing, clock: Clock, faults: Faults<ServiceFault>) {
    this.#faults = faults;
    this.#issuer = issuer;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Seconds are rounded down, so that `exp` is never later than what the store holds. */
  async sign(facts: RegistrationFacts, times: AssertionTimes): Promise<string> {
    const known = stateOf(facts, this.#clock.now()) === 'claimed' ? facts.email : undefined;
    const faults = this.#faults;
    const typ = faults.has('assertionsAsIdJags') ? JWT_TYPE.idJag : JWT_TYPE.identityAssertion;
    const assertion = await this.#keys.sign(typ, {
      iss: faults.has('issuerSpelledTwice') ? `${this.#issuer}/` : this.#issuer,
      aud: faults.has('assertionForAnybody') ? 'everybody' : this.#issuer,
      sub: faults.has('oneSubject') ? 'agent' : facts.id,
      jti: times.jti,
      iat: Math.floor(times.issuedAt / SECOND),
      exp: Math.floor(
        (faults.has('assertionsStale') ? times.issuedAt - SECOND : times.expiresAt) / SECOND,
      ),
      ver: faults.has('versionUnsaid') ? undefined : facts.version,
      ...(known !== undefined && { email: known, email_verified: true }),
    });
    return faults.has('assertionsSignedOtherwise') ? withChangedSignature(assertion) : assertion;
  }

  /** The claims of an authentic assertion that is not over; its registration is not looked at. */
  async verify(assertion: string): Promise<IdentityAssertionClaims | undefined> {
    // The kind is told before the key is used: an ID-JAG is no identity assertion.
    if (!isIdentityAssertion(assertion)) return undefined;
    const payload = isTakenUnverified(assertion, this.#faults)
      ? decodeJwt(assertion)?.payload
      : await this.#keys.verifyOwn(assertion);
    const parsed = identityAssertionClaims.safeParse(payload);
    if (!parsed.success) return undefined;
    const { iss, aud, exp } = parsed.data;
    const ours = iss === this.#issuer && aud === this.#issuer;
    const isOver = this.#clock.now() >= exp * SECOND && !this.#faults.has('assertionsEndless');
    return ours && !isOver ? parsed.data : undefined;
  }
}

/** Whether a token calls itself an identity assertion; says nothing about its signature. */
export function isIdentityAssertion(token: string): boolean {
  return isJwtType(decodeJwt(token)?.header['typ'], JWT_TYPE.identityAssertion);
}

/** Whether a mistake keeps the signature of an assertion from being looked at. */
function isTakenUnverified(assertion: string, faults: Faults<ServiceFault>): boolean {
  if (faults.has('assertionsUnverified')) return true;
  const header = decodeJwt(assertion)?.header ?? {};
  const alg = String(header['alg']).toLowerCase();
  return (
    (alg === 'none' && faults.has('unsignedAssertionTaken')) ||
    (alg === 'hs256' && faults.has('hmacAssertionTaken')) ||
    (['jwk', 'jku', 'x5u', 'x5c'].some((name) => name in header) &&
      faults.has('assertionKeyTrusted')) ||
    (header['kid'] === undefined && faults.has('assertionKidOptional'))
  );
}

function withChangedSignature(assertion: string): string {
  const at = assertion.length - 10;
  const letter = assertion[at] === 'A' ? 'B' : 'A';
  return assertion.slice(0, at) + letter + assertion.slice(at + 1);
}
