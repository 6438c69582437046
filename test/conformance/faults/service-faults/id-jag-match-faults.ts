import type { Value } from '../../../../src/mock/store/database.ts';
import {
  matchingBy,
  matchingTo,
  querying,
  readingAs,
  unasked,
  usersFound,
} from '../../../../src/mock-service/faults/id-jag-faults.ts';
import type { Redecided, Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import type { IdJag } from '../../../../src/mock-service/id-jag/id-jag-checks.ts';
import type { MatchFacts } from '../../../../src/mock-service/id-jag/match-id-jag.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { IdJagStore } from '../../../../src/mock-service/store/id-jag-store.ts';
import { findNewest } from '../../../../src/mock-service/store/stored-registration.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { skeleton } from './skeleton.ts';

const { replacing } = rewire;

/** A user of a provider is known again by this condition on registrations. */
function knownBy(condition: string, values: (idJag: IdJag) => readonly Value[]): Rewired {
  return querying(() => ({
    findRegistration: (tx, idJag) => findNewest(tx, condition, values(idJag)),
  }));
}

/** Something is done before or after an ID-JAG is accepted. */
function accepting(
  change: (right: IdJagStore['accept'], mock: Parameters<Rewired>[0]) => IdJagStore['accept'],
): Rewired {
  return (mock) => {
    const { idJags } = mock;
    const right: IdJagStore['accept'] = (...given) => idJags.accept(...given);
    return { idJags: replacing(idJags, { accept: change(right, mock) }) };
  };
}

/** Both at once. */
const both =
  (first: Redecided, second: Redecided): Redecided =>
  (right) =>
    second(first(right));

/** Whether there is a delegation. */
const isClaimed = ({ registration }: MatchFacts) =>
  registration !== undefined && (!registration.needsClaim || registration.claimedAt !== undefined);

/** Faults of what an ID-JAG leads to. */
export const ID_JAG_MATCH_FAULTS = {
  acceptedUnverifiedEmailLink: {
    description: 'links an account by an unverified email (attack A-20)',
    decisions: both(
      readingAs((claims) => ({ ...claims, email_verified: true })),
      unasked(),
    ),
    parts: usersFound,
    fails: { 'id-jag-denial': ['unverified'] },
  },
  acceptedLookAlikeLink: {
    description: 'links an account by an email that looks like its own (attack A-21)',
    decisions: both(
      readingAs((claims) => ({ ...claims, email: alike(claims['email']) })),
      unasked(),
    ),
    parts: usersFound,
    fails: { 'id-jag-addresses': ['odd', 'look-alike'] },
  },
  ignoredLinkDenial: {
    description: 'links an account with the next ID-JAG after its user has denied it (attack A-20)',
    decisions: unasked(({ registration }) => registration?.attempt?.deniedAt !== undefined),
    parts: usersFound,
    fails: { 'id-jag-denial': ['still-asked'] },
  },
  acceptedPreRevocationIdJag: {
    description: 'accepts after a revocation an ID-JAG issued before it (wire contract §7)',
    decisions: matchingBy(() => ({ revokedUpTo: undefined })),
    fails: { 'event-order': ['not-newer-refused'] },
  },
  extraConfirmation: {
    description: 'asks for confirmation where there is no account to link (wire contract §3)',
    decisions: matchingBy(({ idJag: { email }, emailAccount, phoneAccount }) => ({
      emailAccount: emailAccount ?? phoneAccount ?? (email === undefined ? undefined : { email }),
    })),
    fails: { 'id-jag': ['at-once'] },
  },
  repeatedConfirmation: {
    description: 'asks for the confirmation of a user who has already given it (wire contract §3)',
    decisions: matchingBy((facts) => (isClaimed(facts) ? { registration: undefined } : {})),
    fails: { 'id-jag-known': ['again', 'new-email'] },
  },
  extraRegistrationPerIdJag: {
    description: 'creates a registration for each ID-JAG of a user (wire contract §3)',
    decisions: matchingTo((match) => (match.kind === 'known' ? { kind: 'provision' } : match)),
    parts: usersFound,
    fails: { 'id-jag-known': ['new-email'] },
  },
  ignoredIdJagResource: {
    description: 'does not bind tokens to the resource of an ID-JAG (wire contract §3)',
    parts: accepting(
      (right) =>
        (idJag, ...given) =>
          right({ ...idJag, resources: [] }, ...given),
    ),
    fails: { 'id-jag-scope': ['bound-resource'] },
  },
  sharedSubjectAcrossIssuers: {
    description: 'treats equal subjects of different providers as one user (RFC 8725 §3.8)',
    parts: knownBy('subject = ? AND tenant = ?', ({ subject, tenant }) => [subject, tenant]),
    fails: { 'id-jag-known': ['per-issuer'], 'event-revocation': ['other-issuer'] },
  },
  ignoredSubject: {
    description: 'treats all subjects of a provider as one user (RFC 7523 §3, sub)',
    parts: knownBy('issuer = ? AND tenant = ?', ({ issuer, tenant }) => [issuer, tenant]),
    fails: { 'id-jag-known': ['per-subject'] },
  },
  trustedEmailAsSubject: {
    description: 'recognises a user of a provider by the email alone (attack A-20)',
    parts: knownBy(
      'issuer = ? AND tenant = ? AND (subject = ? OR email = ?)',
      ({ issuer, tenant, subject, email }) => [issuer, tenant, subject, email ?? ''],
    ),
    fails: { 'id-jag-confirmation': ['other-subject', 'case-of-email'] },
  },
  extraSubjectOnEmailChange: {
    description: 'treats a subject with a changed email as another user (wire contract §3)',
    parts: knownBy(
      "issuer = ? AND tenant = ? AND subject = ? AND COALESCE(email, '') = ?",
      ({ issuer, tenant, subject, email }) => [issuer, tenant, subject, email ?? ''],
    ),
    fails: { 'id-jag-known': ['new-email'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

function alike(email: unknown): unknown {
  return typeof email === 'string' ? skeleton(email) : email;
}
