import type { IdentityType } from '../../protocol/constants.ts';

/** What is stored of a registration. Its state is derived from this and the clock, never stored. */
export interface RegistrationFacts {
  readonly id: string;
  readonly type: IdentityType;
  /** False for an ID-JAG registration that its user need not confirm: it is claimed from the start. */
  readonly needsClaim: boolean;
  /** `claim_token_expires`, in ms. Without a claim to make it is unused, and equals the creation. */
  readonly windowEndsAt: number;
  readonly claimedAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** The one email that may complete the claim, normalized. */
  readonly email: string | undefined;
  readonly userId: string | undefined;
  /** What an assertion's `ver` must equal: 1, and 2 once a claim completed. */
  readonly version: number;
  readonly preClaimScopes: readonly string[];
  readonly postClaimScopes: readonly string[];
  /** The resource that an ID-JAG bound this registration to. */
  readonly resource: string | undefined;
  /** Wrong codes over all attempts: they survive a new attempt. */
  readonly wrongCodes: number;
  /** The current attempt; earlier ones are not kept. */
  readonly attempt: AttemptFacts | undefined;
  /** The first successful claim poll, and what it delivered. */
  readonly delivery: DeliveryFacts | undefined;
}

export interface AttemptFacts {
  readonly id: string;
  /** HMAC of attempt id and code; the code itself is not kept. */
  readonly userCodeHmac: string;
  readonly expiresAt: number;
  readonly interval: number;
  readonly lastPollAt: number | undefined;
  readonly wrongCodes: number;
  readonly deniedAt: number | undefined;
  /** When its user confirmed it on the page that then shows the code; until then no code is right. */
  readonly confirmedAt: number | undefined;
  /** Whose account confirmed it. */
  readonly confirmedBy: string | undefined;
}

interface DeliveryFacts {
  readonly firstAt: number;
  readonly assertion: AssertionTimes;
}

/** A repeated delivery carries the same assertion: same id, same times (wire contract §6). */
export interface AssertionTimes {
  readonly jti: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The last instant there is (ECMA-262 §21.4.1.1): when a credential ends that does not. */
export const NEVER = 8.64e15;

/** Wrong codes that burn one attempt. */
export const ATTEMPT_TRIES = 5;

/** Wrong codes after which a registration gets no further attempt. */
export const REGISTRATION_TRIES = 20;

export function isBurnt(facts: RegistrationFacts, attempt: AttemptFacts): boolean {
  return attempt.wrongCodes >= ATTEMPT_TRIES || facts.wrongCodes >= REGISTRATION_TRIES;
}
