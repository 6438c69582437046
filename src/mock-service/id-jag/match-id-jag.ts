import { emailDomain } from '../../protocol/email.ts';
import { REGISTRATION_TRIES, type RegistrationFacts } from '../claim-machine/facts.ts';
import { stateOf } from '../claim-machine/machine.ts';
import type { LinkExisting } from '../config/link-existing.ts';
import type { IdJag } from './id-jag-checks.ts';

/** An ID-JAG, and what is known about its subject, email and phone when it arrives. */
export interface MatchFacts {
  readonly idJag: IdJag;
  readonly now: number;
  /** The newest registration of `(iss, tenant, sub)` that is not revoked. */
  readonly registration: RegistrationFacts | undefined;
  /** The account with that verified email. */
  readonly emailAccount: MatchedAccount | undefined;
  /** The account with that verified phone number. */
  readonly phoneAccount: MatchedAccount | undefined;
  /** Up to when ID-JAGs of this subject were revoked, in ms (wire contract §7). */
  readonly revokedUpTo: number | undefined;
  readonly jtiUsed: boolean;
  readonly linkExisting: LinkExisting;
}

interface MatchedAccount {
  /** The account's id; left out where there is no account yet. */
  readonly id?: string;
  /** The email address; without one no user can sign in to the account, so its owner cannot be asked. */
  readonly email: string | undefined;
}

export type Match =
  | {
      readonly kind: 'refused';
      readonly code: 'expired' | 'replay_detected' | 'missing_verified_email';
    }
  /** Outcome 1: a delegation. */
  | { readonly kind: 'known' }
  /** Outcome 2: no account has that email or phone. */
  | { readonly kind: 'provision' }
  /** The account has that email or phone, and its owner is not asked. */
  | { readonly kind: 'link'; readonly userId: string; readonly email: string }
  /** Outcome 3: the account's owner is asked; `reuse` keeps registration, window and counters. */
  | { readonly kind: 'confirm'; readonly email: string; readonly reuse: boolean }
  | { readonly kind: 'exhausted'; readonly until: number };

/** The ID-JAG outcomes of wire contract §3. A link to an existing account is silent only where that is configured. */
export function matchIdJag({ idJag, now, registration, ...facts }: MatchFacts): Match {
  if (facts.revokedUpTo !== undefined && idJag.issuedAt <= facts.revokedUpTo) {
    return { kind: 'refused', code: 'expired' };
  }
  if (facts.jtiUsed) return { kind: 'refused', code: 'replay_detected' };

  const state = registration && stateOf(registration, now);
  if (state === 'claimed') return { kind: 'known' };

  const account = facts.emailAccount ?? facts.phoneAccount ?? outsideMailDomains(idJag);
  if (account === undefined) return { kind: 'provision' };
  const { email, id } = account;
  if (email === undefined) return { kind: 'refused', code: 'missing_verified_email' };
  if (facts.linkExisting === 'silent' && id !== undefined && speaksFor(idJag, email)) {
    return { kind: 'link', userId: id, email };
  }
  const reuse = registration !== undefined && state !== 'expired';
  // A fresh ID-JAG must not give fresh attempts at the code.
  if (reuse && registration.wrongCodes >= REGISTRATION_TRIES) {
    return { kind: 'exhausted', until: registration.windowEndsAt };
  }
  return { kind: 'confirm', email, reuse };
}

/** An email outside the domains that its provider is trusted for is confirmed like an existing account. */
function outsideMailDomains(idJag: IdJag): MatchedAccount | undefined {
  const { email } = idJag;
  return email === undefined || speaksFor(idJag, email) ? undefined : { email };
}

/**
 * Whether a provider is trusted for the account of this email: for the email itself and, where its phone
 * number matched, for the one that the ID-JAG names beside it.
 */
function speaksFor({ email: named = '', trusted }: IdJag, email: string): boolean {
  const { mailDomains } = trusted;
  if (mailDomains === undefined) return true;
  return [email, named || email].every((each) => mailDomains.includes(emailDomain(each)));
}
