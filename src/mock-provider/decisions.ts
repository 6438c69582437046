import { CLIENT_CHECKS } from './checks/client-checks.ts';
import { EXCHANGE_CHECKS } from './checks/exchange-checks.ts';
import type { Decisions } from './context/decisions.ts';
import { decidePoll } from './device-code/decide-poll.ts';
import { idTokenOf } from './id-token/id-token.ts';
import { ID_TOKEN_CHECKS } from './id-token/id-token-checks.ts';
import { decideMint } from './mint/decide-mint.ts';
import { idJagOf } from './mint/id-jag.ts';
import { afterAttempt } from './outbox/after-attempt.ts';
import { RECEIVER_RULES } from './outbox/find-receiver.ts';
import { refusalText, securityEventOf } from './outbox/send-event.ts';
import { consentFor } from './store/consent-condition.ts';
import { mayAnswer } from './store/consent-requests.ts';
import { userInfoOf } from './users/user-info-of.ts';

/** The right decisions of every room. */
export const DECISIONS: Decisions = {
  clientChecks: CLIENT_CHECKS,
  exchangeChecks: EXCHANGE_CHECKS,
  idTokenChecks: ID_TOKEN_CHECKS,
  idToken: idTokenOf,
  userInfo: userInfoOf,
  idJag: idJagOf,
  event: securityEventOf,
  consentFor,
  mint: decideMint,
  mayAnswer,
  poll: decidePoll,
  receiver: RECEIVER_RULES,
  afterAttempt,
  refusalText,
};
