import { replacing, type Value } from '../../mock/index.ts';
import type { IdJag } from '../id-jag/id-jag.ts';
import type { Match, MatchFacts } from '../id-jag/match-id-jag.ts';
import { findNewest, findUserBy, type IdJagQueries, type IdJagStore } from '../store/index.ts';
import { readingAs } from './id-jag-reading-faults.ts';
import type { BuiltInServiceFault, Redecided, Rewired } from './service-fault.ts';
import { skeleton } from './skeleton.ts';

/** Matched by other facts than those that hold. */
export function matchingBy(change: (facts: MatchFacts) => Partial<MatchFacts>): Redecided {
  return (right) => ({
    ...right,
    matchIdJag: (facts) => right.matchIdJag({ ...facts, ...change(facts) }),
  });
}

/** A match comes to something else. */
export function matchingTo(change: (match: Match, facts: MatchFacts) => Match): Redecided {
  return (right) => ({ ...right, matchIdJag: (facts) => change(right.matchIdJag(facts), facts) });
}

/** Some of the queries are other ones. */
export function querying(change: (right: IdJagQueries) => Partial<IdJagQueries>): Rewired {
  return ({ idJagQueries }) => ({ idJagQueries: { ...idJagQueries, ...change(idJagQueries) } });
}

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

/** As "find or create" does: an account that has the email or the phone number is taken for the user's. */
const usersFound = querying(({ provisionUser }) => ({
  provisionUser: async (tx, now, user) => {
    const { email, phone } = user;
    const known =
      (email && (await findUserBy(tx, 'email', email))) ||
      (phone && (await findUserBy(tx, 'phone', phone)));
    return known ? known.id : provisionUser(tx, now, user);
  },
}));

/** A user who has an account is treated like a new one. */
const unasked = (isMeant: (facts: MatchFacts) => boolean = () => true): Redecided =>
  matchingTo((match, facts) => {
    const hasAccount = facts.emailAccount !== undefined || facts.phoneAccount !== undefined;
    return match.kind === 'confirm' && hasAccount && isMeant(facts) ? { kind: 'provision' } : match;
  });

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
  noLinkConfirmation: {
    description: 'links an existing account without asking its user',
    decisions: unasked(),
    parts: usersFound,
    breaks: ['W3-24', 'IDJ-22', 'A-20-SILENT'],
    fails: { 'id-jag-confirmation': ['never-silent'] },
  },
  acceptedUnverifiedEmailLink: {
    description: 'links an account by an unverified email (attack A-20)',
    decisions: both(
      readingAs((claims) => ({ ...claims, email_verified: true })),
      unasked(),
    ),
    parts: usersFound,
    breaks: ['A-20-UNVERIFIED'],
    fails: { 'id-jag-denial': ['unverified'] },
  },
  acceptedLookAlikeLink: {
    description: 'links an account by an email that looks like its own (attack A-21)',
    decisions: both(
      readingAs((claims) => ({ ...claims, email: alike(claims['email']) })),
      unasked(),
    ),
    parts: usersFound,
    breaks: ['W3-14', 'A-21'],
    fails: { 'id-jag-addresses': ['odd', 'look-alike'] },
  },
  ignoredLinkDenial: {
    description: 'links an account with the next ID-JAG after its user has denied it (attack A-20)',
    decisions: unasked(({ registration }) => registration?.attempt?.deniedAt !== undefined),
    parts: usersFound,
    breaks: ['A-20'],
    fails: { 'id-jag-denial': ['still-asked'] },
  },
  acceptedPreRevocationIdJag: {
    description: 'accepts after a revocation an ID-JAG issued before it (wire contract §7)',
    decisions: matchingBy(() => ({ revokedUpTo: undefined })),
    breaks: ['W7-16'],
    fails: { 'event-order': ['not-newer-refused'] },
  },
  extraConfirmation: {
    description: 'asks for confirmation where there is no account to link (wire contract §3)',
    decisions: matchingBy(({ idJag: { email }, emailAccount, phoneAccount }) => ({
      emailAccount: emailAccount ?? phoneAccount ?? (email === undefined ? undefined : { email }),
    })),
    breaks: ['W3-21'],
    fails: { 'id-jag': ['at-once'] },
  },
  repeatedConfirmation: {
    description: 'asks for the confirmation of a user who has already given it (wire contract §3)',
    decisions: matchingBy((facts) => (isClaimed(facts) ? { registration: undefined } : {})),
    breaks: ['W3-20'],
    fails: { 'id-jag-known': ['again', 'new-email'] },
  },
  extraRegistrationPerIdJag: {
    description: 'creates a registration for each ID-JAG of a user (wire contract §3)',
    decisions: matchingTo((match) => (match.kind === 'known' ? { kind: 'provision' } : match)),
    parts: usersFound,
    breaks: ['W3-20'],
    fails: { 'id-jag-known': ['new-email'] },
  },
  ignoredIdJagResource: {
    description: 'does not bind tokens to the resource of an ID-JAG (wire contract §3)',
    parts: accepting(
      (right) =>
        (idJag, ...given) =>
          right({ ...idJag, resources: [] }, ...given),
    ),
    breaks: ['W3-33'],
    fails: { 'id-jag-scope': ['bound-resource'] },
  },
  sharedSubjectAcrossIssuers: {
    description: 'treats equal subjects of different providers as one user (RFC 8725 §3.8)',
    parts: knownBy('subject = ? AND tenant = ?', ({ subject, tenant }) => [subject, tenant]),
    breaks: ['JWT-05', 'A-27', 'W7-19'],
    fails: { 'id-jag-known': ['per-issuer'], 'event-revocation': ['other-issuer'] },
  },
  ignoredSubject: {
    description: 'treats all subjects of a provider as one user (RFC 7523 §3, sub)',
    parts: knownBy('issuer = ? AND tenant = ?', ({ issuer, tenant }) => [issuer, tenant]),
    breaks: ['JWT-05'],
    fails: { 'id-jag-known': ['per-subject'] },
  },
  trustedEmailAsSubject: {
    description: 'recognises a user of a provider by the email alone (attack A-20)',
    parts: knownBy(
      'issuer = ? AND tenant = ? AND (subject = ? OR email = ?)',
      ({ issuer, tenant, subject, email }) => [issuer, tenant, subject, email ?? ''],
    ),
    breaks: ['W3-15', 'A-20'],
    fails: { 'id-jag-confirmation': ['other-subject', 'case-of-email'] },
  },
  extraSubjectOnEmailChange: {
    description: 'treats a subject with a changed email as another user (wire contract §3)',
    parts: knownBy(
      "issuer = ? AND tenant = ? AND subject = ? AND COALESCE(email, '') = ?",
      ({ issuer, tenant, subject, email }) => [issuer, tenant, subject, email ?? ''],
    ),
    breaks: ['W3-20'],
    fails: { 'id-jag-known': ['new-email'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;

function alike(email: unknown): unknown {
  return typeof email === 'string' ? skeleton(email) : email;
}
