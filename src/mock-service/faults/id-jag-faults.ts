import { replacing } from '../../mock/config/replacing.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Match, MatchFacts } from '../id-jag/match-id-jag.ts';
import type { IdJagQueries } from '../store/id-jag-store.ts';
import { findUserBy } from '../store/users.ts';
import { omitting } from './check-lists.ts';
import type { Redecided, Rewired, ServiceFault } from './service-fault.ts';

/** Claims that are right are refused. */
export function refusing(isRefused: (claims: JsonObject) => boolean): Redecided {
  return (right) => ({
    ...right,
    readIdJag: (claims, context) =>
      isRefused(claims)
        ? { ok: false, refusal: { code: 'invalid_request' } }
        : right.readIdJag(claims, context),
  });
}

/** Claims are read as if they had been sent another way. */
export function readingAs(change: (claims: JsonObject) => JsonObject): Redecided {
  return (right) => ({
    ...right,
    readIdJag: (claims, context) => right.readIdJag(change(claims), context),
  });
}

/** Finds or creates a user: an account that has the email or the phone number is taken for theirs. */
export const usersFound = querying(({ provisionUser }) => ({
  provisionUser: async (tx, now, user) => {
    const { email, phone } = user;
    const known =
      (email && (await findUserBy(tx, 'email', email))) ||
      (phone && (await findUserBy(tx, 'phone', phone)));
    return known ? known.id : provisionUser(tx, now, user);
  },
}));

/** Replaces some of the queries. */
export function querying(change: (right: IdJagQueries) => Partial<IdJagQueries>): Rewired {
  return ({ idJags }) => {
    const { queries } = idJags;
    return { idJags: replacing(idJags, { queries: { ...queries, ...change(queries) } }) };
  };
}

/** A user who has an account is treated like a new one. */
export const unasked = (isMeant: (facts: MatchFacts) => boolean = () => true): Redecided =>
  matchingTo((match, facts) => {
    const hasAccount = facts.emailAccount !== undefined || facts.phoneAccount !== undefined;
    return match.kind === 'confirm' && hasAccount && isMeant(facts) ? { kind: 'provision' } : match;
  });

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

/** Faults: what it accepts or refuses wrongly of ID-JAGs. */
export const ID_JAG_FAULTS = {
  refusedIdJag: {
    description: 'refuses every ID-JAG',
    decisions: refusing(() => true),
  },
  acceptedUnverifiedEmail: {
    description: 'accepts an email that its provider did not verify (wire contract §3)',
    decisions: readingAs((claims) => ({ ...claims, email_verified: true })),
  },
  uncheckedAudience: {
    description: 'accepts an ID-JAG for another service (RFC 7523 §3, aud)',
    decisions: omitting('idJagChecks', 'audience'),
  },
  uncheckedClientId: {
    description: 'accepts an ID-JAG issued to another client (ID-JAG draft §4.4.1)',
    decisions: omitting('idJagChecks', 'client'),
  },
  uncheckedExp: {
    description: 'accepts an expired ID-JAG (RFC 7523 §3, exp)',
    decisions: omitting('idJagChecks', 'expiry'),
  },
  acceptedLongLifetime: {
    description: 'accepts an ID-JAG that is valid for years (wire contract §0)',
    decisions: omitting('idJagChecks', 'lifetime'),
  },
  uncheckedAuthTime: {
    description: 'accepts an ID-JAG however long ago its auth_time is',
    decisions: omitting('idJagChecks', 'sign-in'),
  },
  acceptedReplay: {
    description: 'accepts the same ID-JAG twice (RFC 7523 §3, jti)',
    decisions: matchingBy(() => ({ jtiUsed: false })),
  },
  noLinkConfirmation: {
    description: 'links an existing account without asking its user',
    decisions: unasked(),
    parts: usersFound,
  },
} satisfies Readonly<Record<string, ServiceFault>>;
