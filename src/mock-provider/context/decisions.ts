import type { Check } from '../checks/check.ts';
import type { ClientFacts } from '../checks/client-checks.ts';
import type { ExchangeFacts } from '../checks/exchange-checks.ts';
import type { decidePoll } from '../device-code/decide-poll.ts';
import type { idTokenOf } from '../id-token/id-token.ts';
import type { IdTokenCheck } from '../id-token/id-token-checks.ts';
import type { decideMint } from '../mint/decide-mint.ts';
import type { idJagOf } from '../mint/id-jag.ts';
import type { afterAttempt } from '../outbox/after-attempt.ts';
import type { ReceiverRules } from '../outbox/find-receiver.ts';
import type { refusalText, securityEventOf } from '../outbox/send-event.ts';
import type { consentFor } from '../store/consent-condition.ts';
import type { mayAnswer } from '../store/consent-requests.ts';
import type { userInfoOf } from '../users/user-info-of.ts';

/**
 * What the provider decides by: pure functions and lists, from facts to outcomes. None of them changes
 * anything, or asks a clock or a store: the time, and what is stored, are among what it is given.
 */
export interface Decisions {
  /** Whether a client is served: the first check of the list that does not hold is the refusal. */
  readonly clientChecks: readonly Check<ClientFacts>[];
  /** Whether the parameters of a token exchange are valid; in order, too. */
  readonly exchangeChecks: readonly Check<ExchangeFacts>[];
  /** Whether an ID token is valid, its signature aside; in any order. */
  readonly idTokenChecks: readonly IdTokenCheck[];
  /** What an ID token says: its `typ` and its claims, before they are signed. */
  readonly idToken: typeof idTokenOf;
  /** What the user info says, by the scopes of the sign-in. */
  readonly userInfo: typeof userInfoOf;
  /** What an ID-JAG says. */
  readonly idJag: typeof idJagOf;
  /** What a security event token says that notifies a service of a revoked consent. */
  readonly event: typeof securityEventOf;
  /** Which consent counts for a mint, as a condition on the table of consents. */
  readonly consentFor: typeof consentFor;
  /** Whether an ID-JAG is minted, and with which scopes; or whether the user is asked first. */
  readonly mint: typeof decideMint;
  /** Whether a signed-in user may answer a consent request. */
  readonly mayAnswer: typeof mayAnswer;
  /** What a poll of the device grant is answered with. */
  readonly poll: typeof decidePoll;
  /** Whose metadata is believed, and where events may go. */
  readonly receiver: ReceiverRules;
  /** What follows from an attempt to send an event: it is delivered, tried again later, or parked. */
  readonly afterAttempt: typeof afterAttempt;
  /** The text that is kept of a service's refusal. */
  readonly refusalText: typeof refusalText;
}
