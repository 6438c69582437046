import { isOpenable } from '../http/url-policy.ts';
import type {
  Ceremony,
  ClaimAttempt,
  ReadBackAttempt,
  ReadBackCeremony,
  TypeThereAttempt,
  TypeThereCeremony,
} from '../model.ts';

/** An attempt as its user needs it. `homes` are the URLs whose origins the page may be on. */
export function ceremonyOf(
  attempt: ClaimAttempt,
  homes: readonly string[],
  now: number,
  mailedTo: string | null,
): Ceremony {
  return attempt.kind === 'type_there'
    ? typeThereOf(attempt, homes, now)
    : readBackOf(attempt, homes, now, mailedTo);
}

/** The same of a code that the user reads back. */
export function readBackOf(
  { kind, verificationUri, expiresAt }: ReadBackAttempt,
  homes: readonly string[],
  now: number,
  mailedTo: string | null,
): ReadBackCeremony {
  return {
    ...{ kind, verificationUri, expiresAt, remaining: Math.max(0, expiresAt - now) },
    mailedTo: verificationUri === null ? mailedTo : null,
    openable: verificationUri !== null && isOpenable(verificationUri, homes),
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
