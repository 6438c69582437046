import { emailDomain } from '../../protocol/index.ts';
import {
  type Moment,
  REGISTRATION_TRIES,
  type RegistrationFacts,
  stateOf,
} from '../claim-machine/index.ts';
import type { VerifiedIdJag } from './id-jag.ts';

/** What is known about the subject and the addresses of an ID-JAG when it arrives. */
export interface MatchFacts {
  /** The newest registration of `(iss, tenant, sub)` that is not revoked. */
  readonly registration: RegistrationFacts | undefined;
  /** The account with that verified email. */
  readonly emailAccount: MatchedAccount | undefined;
  /** The account with that verified phone number. */
  readonly phoneAccount: MatchedAccount | undefined;
  /** Up to when ID-JAGs of this subject were revoked, in ms (wire.md §7). */
  readonly revokedUpTo: number | undefined;
  readonly jtiUsed: boolean;
}

export interface MatchedAccount {
  /** `undefined`: nobody has it yet. */
  readonly id?: string;
  /** Without one nobody can sign in to it, and so nobody can be asked. */
  readonly email: string | undefined;
}

export type Match =
  | {
      readonly kind: 'refused';
      readonly code: 'expired' | 'replay_detected' | 'missing_verified_email';
    }
  /** Outcome 1: a delegation. */
  | { readonly kind: 'known' }
  /** Outcome 2: nobody here has that address. */
  | { readonly kind: 'provision' }
  /** What must never be: the account is linked, and its owner was not asked. */
  | { readonly kind: 'link'; readonly userId: string }
  /** Outcome 3: the account's owner is asked; `reuse` keeps registration, window and counters. */
  | { readonly kind: 'confirm'; readonly email: string; readonly reuse: boolean }
  | { readonly kind: 'exhausted'; readonly until: number };

/** The ID-JAG outcomes of wire.md §3. A link to an existing account is never silent. */
export function matchIdJag(
  idJag: VerifiedIdJag,
  facts: MatchFacts,
  { now, faults }: Pick<Moment, 'now' | 'faults'>,
): Match {
  const over = facts.revokedUpTo !== undefined && idJag.issuedAt <= facts.revokedUpTo;
  if (over && !faults.has('olderIdJagAccepted')) {
    return { kind: 'refused', code: 'expired' };
  }
  if (facts.jtiUsed) return { kind: 'refused', code: 'replay_detected' };

  const { registration } = facts;
  const state = registration && stateOf(registration, now);
  if (state === 'claimed' && !faults.has('knownAskedAgain')) return { kind: 'known' };

  const byPhone = faults.has('phoneBeforeEmail') ? facts.phoneAccount : undefined;
  const account =
    byPhone ??
    facts.emailAccount ??
    facts.phoneAccount ??
    unspokenFor(idJag) ??
    asked(idJag, faults);
  if (account === undefined) return { kind: 'provision' };
  const denied = registration?.attempt?.deniedAt !== undefined && faults.has('deniedLinks');
  if (account.id !== undefined && (denied || LINKING.some((fault) => faults.has(fault)))) {
    return { kind: 'link', userId: account.id };
  }
  const { email } = account;
  if (email === undefined) return { kind: 'refused', code: 'missing_verified_email' };
  const kept = registration !== undefined && state !== 'expired';
  const reuse = kept && state !== 'claimed' && !faults.has('confirmationBegunAnew');
  // A fresh ID-JAG must not buy fresh tries at the code.
  if (reuse && registration.wrongCodes >= REGISTRATION_TRIES) {
    return { kind: 'exhausted', until: registration.windowEndsAt };
  }
  return { kind: 'confirm', email, reuse };
}

/** An address outside the domains that its provider speaks for is confirmed like an existing account. */
function unspokenFor({ email, trusted }: VerifiedIdJag): MatchedAccount | undefined {
  if (email === undefined || trusted.mailDomains === undefined) return undefined;
  return trusted.mailDomains.includes(emailDomain(email)) ? undefined : { email };
}

/** The mistakes that end in an account being linked without a question. */
const LINKING = ['silentLink', 'unverifiedLinked', 'lookAlikeLinked'] as const;

/** Nobody has that address: only a fault asks its user first. */
function asked({ email }: VerifiedIdJag, faults: Moment['faults']): MatchedAccount | undefined {
  return email !== undefined && faults.has('newUsersAsked') ? { email } : undefined;
}
