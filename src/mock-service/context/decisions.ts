import { type ReturnTo, safeReturnTo } from '../../mock/sessions/return-to.ts';
import { normalizeEmail } from '../../protocol/email.ts';
import {
  type ClaimMachine,
  PACE,
  stateOf,
  supersedeCredentials,
} from '../claim-machine/machine.ts';
import { MATRIX } from '../claim-machine/matrix.ts';
import type { ServiceConfig } from '../config/config.ts';
import { ID_JAG_CHECKS, type IdJagCheck } from '../id-jag/id-jag-checks.ts';
import { matchIdJag } from '../id-jag/match-id-jag.ts';
import { readIdJag } from '../id-jag/read-id-jag.ts';
import { REDEMPTION_CHECKS, type RedemptionCheck } from '../redemption/redemption-checks.ts';
import { judgeCall } from '../resource/protected-call.ts';
import { EVENT_RULES, type EventRules } from '../security-events/event-checks.ts';
import { type AuthenticatesClient, authenticatesClient } from '../tokens/client-authentication.ts';
import type { Grants } from '../tokens/grant.ts';

/** What the service decides by: pure functions and lists, from facts to outcomes. */
export interface Decisions extends ClaimMachine, EventRules {
  /** The token that is valid for a call of a protected resource, or the code that it is refused with. */
  readonly judgeCall: typeof judgeCall;
  /** Whether a request carries client credentials. */
  readonly authenticatesClient: AuthenticatesClient;
  /** The grants of the token endpoint. */
  readonly grants: (config: ServiceConfig) => Grants;
  /** The email that an agent names a user by, normalized; undefined when it is none. */
  readonly readEmail: (text: string) => string | undefined;
  /** Where a sign-in leads: to a page of ours. */
  readonly returnTo: ReturnTo;
  /** What the signed claims of an ID-JAG say, if they are well formed. */
  readonly readIdJag: typeof readIdJag;
  /** The checks of an ID-JAG, in the order in which they are made (wire contract §3). */
  readonly idJagChecks: readonly IdJagCheck[];
  /** The checks of an ID-JAG that a client redeems, in the order in which they are made. */
  readonly redemptionChecks: readonly RedemptionCheck[];
  /** The outcome of an ID-JAG, by what is known of its subject and its email. */
  readonly matchIdJag: typeof matchIdJag;
}

/** The right decisions of every room, in every dialect. */
export const DECISIONS: Omit<Decisions, 'grants'> = {
  stateOf,
  matrix: MATRIX,
  pace: PACE,
  afterClaim: supersedeCredentials,
  ...EVENT_RULES,
  judgeCall,
  authenticatesClient,
  readEmail: normalizeEmail,
  returnTo: safeReturnTo,
  readIdJag,
  idJagChecks: ID_JAG_CHECKS,
  redemptionChecks: REDEMPTION_CHECKS,
  matchIdJag,
};
