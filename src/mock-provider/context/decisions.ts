import { EXCHANGE_CHECKS } from '../checks/exchange-checks.ts';
import { CLIENT_CHECKS } from '../checks/require-agent.ts';
import { decidePoll } from '../device-code/decide-poll.ts';
import { idTokenOf } from '../id-token/id-token.ts';
import { ID_TOKEN_CHECKS } from '../id-token/id-token-checks.ts';
import { decideMint } from '../mint/decide-mint.ts';
import { idJagOf } from '../mint/id-jag.ts';
import { afterAttempt } from '../outbox/outbox-entry.ts';
import { RECEIVER_RULES, refusalText, securityEventOf } from '../outbox/send-event.ts';
import { consentFor, mayAnswer } from '../store/consent-requests.ts';
import { userInfoOf } from '../users/user-claims.ts';

/**
 * What the provider decides by: pure functions and lists, from facts to outcomes. None of them changes
 * anything, or asks a clock or a store: the time, and what is stored, are among what it is given.
 */
export const DECISIONS = {
  /** Whether a client is served: the first check of the list that does not hold is the refusal. */
  clientChecks: CLIENT_CHECKS,
  /** Whether the parameters of a token exchange are valid; in order, too. */
  exchangeChecks: EXCHANGE_CHECKS,
  /** Whether an ID token is valid, its signature aside; in any order. */
  idTokenChecks: ID_TOKEN_CHECKS,
  /** What an ID token says: its `typ` and its claims, before they are signed. */
  idToken: idTokenOf,
  /** What the user info says, by the scopes of the sign-in. */
  userInfo: userInfoOf,
  /** What an ID-JAG says. */
  idJag: idJagOf,
  /** What a security event token says that notifies a service of a revoked consent. */
  event: securityEventOf,
  /** Which consent counts for a mint, as a condition on the table of consents. */
  consentFor,
  /** Whether an ID-JAG is minted, and with which scopes; or whether the user is asked first. */
  mint: decideMint,
  /** Whether a signed-in user may answer a consent request. */
  mayAnswer,
  /** What a poll of the device grant is answered with. */
  poll: decidePoll,
  /** Whose metadata is believed, and where events may go. */
  receiver: RECEIVER_RULES,
  /** What follows from an attempt to send an event: it is delivered, tried again later, or parked. */
  afterAttempt,
  /** The text that is kept of a service's refusal. */
  refusalText,
} as const;

/** The decisions of a provider, right or wrong. */
export type Decisions = typeof DECISIONS;
