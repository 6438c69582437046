import type { ClaimMachine } from '../claim-machine/machine.ts';
import type { IdJagCheck } from '../id-jag/id-jag-checks.ts';
import type { matchIdJag } from '../id-jag/match-id-jag.ts';
import type { readIdJag } from '../id-jag/read-id-jag.ts';
import type { RedemptionCheck } from '../redemption/redemption-checks.ts';
import type { judgeCall } from '../resource/protected-call.ts';
import type { EventRules } from '../security-events/event-rules.ts';
import type { AuthenticatesClient } from '../tokens/client-authentication.ts';

/** What the service decides by: pure functions and lists, from facts to outcomes. */
export interface Decisions extends ClaimMachine, EventRules {
  /** The token that is valid for a call of a protected resource, or the code that it is refused with. */
  readonly judgeCall: typeof judgeCall;
  /** Whether a request carries client credentials. */
  readonly authenticatesClient: AuthenticatesClient;
  /** The email that an agent names a user by, normalized; undefined when it is none. */
  readonly readEmail: (text: string) => string | undefined;
  /** What the signed claims of an ID-JAG say, if they are well formed. */
  readonly readIdJag: typeof readIdJag;
  /** In the order in which they are made (wire contract §3). */
  readonly idJagChecks: readonly IdJagCheck[];
  /** In the order in which they are made of an ID-JAG that a client redeems. */
  readonly redemptionChecks: readonly RedemptionCheck[];
  /** The outcome of an ID-JAG, by what is known of its subject and its email. */
  readonly matchIdJag: typeof matchIdJag;
}
