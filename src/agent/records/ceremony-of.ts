import { isOpenable } from '../http/url-policy.ts';
import type {
  Ceremony,
  ClaimAttempt,
  ReadBackAttempt,
  ReadBackCeremony,
  Registration,
  TypeThereAttempt,
  TypeThereCeremony,
} from '../model.ts';
import { userOf } from './registration-state.ts';

/** An attempt of a registration as its user needs it. */
export function ceremonyOf(
  attempt: ClaimAttempt,
  registration: Registration,
  now: number,
): Ceremony {
  return attempt.kind === 'type_there'
    ? typeThereOf(attempt, homesOf(registration), now)
    : readBackOf(attempt, registration, now);
}

/** The URLs whose origins the page may be on. */
function homesOf({ issuer, resource }: Registration): readonly string[] {
  return [issuer, resource];
}

/** The same of a code that the user reads back. */
export function readBackOf(
  { kind, verificationUri, expiresAt }: ReadBackAttempt,
  registration: Registration,
  now: number,
): ReadBackCeremony {
  return {
    ...{ kind, verificationUri, expiresAt, remaining: Math.max(0, expiresAt - now) },
    mailedTo: verificationUri === null ? userOf(registration) : null,
    openable: verificationUri !== null && isOpenable(verificationUri, homesOf(registration)),
  };
}

/** The same of a code that the user types on a page. */
export function typeThereOf(
  attempt: Omit<TypeThereAttempt, 'ended' | 'kind'>,
  homes: readonly string[],
  now: number,
): TypeThereCeremony {
  const { userCode, verificationUri, expiresAt, interval } = attempt;
  return {
    ...{ kind: 'type_there', userCode, verificationUri, expiresAt, interval },
    openable: isOpenable(verificationUri, homes),
    remaining: Math.max(0, expiresAt - now),
  };
}
