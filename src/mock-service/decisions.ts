import { normalizeEmail } from '../protocol/email.ts';
import { supersedeCredentials } from './claim-machine/after-claim.ts';
import { MATRIX } from './claim-machine/matrix.ts';
import { PACE } from './claim-machine/pace.ts';
import { stateOf } from './claim-machine/state.ts';
import type { Decisions } from './context/decisions.ts';
import { ID_JAG_CHECKS } from './id-jag/id-jag-checks.ts';
import { matchIdJag } from './id-jag/match-id-jag.ts';
import { readIdJag } from './id-jag/read-id-jag.ts';
import { REDEMPTION_CHECKS } from './redemption/redemption-checks.ts';
import { judgeCall } from './resource/protected-call.ts';
import { EVENT_RULES } from './security-events/event-rules.ts';
import { authenticatesClient } from './tokens/client-authentication.ts';

/** The right decisions of every room. */
export const DECISIONS: Decisions = {
  stateOf,
  matrix: MATRIX,
  pace: PACE,
  afterClaim: supersedeCredentials,
  ...EVENT_RULES,
  judgeCall,
  authenticatesClient,
  readEmail: normalizeEmail,
  readIdJag,
  idJagChecks: ID_JAG_CHECKS,
  redemptionChecks: REDEMPTION_CHECKS,
  matchIdJag,
};
