import { type CodeAt, type IdentityRequest, normalizeEmail } from '../../protocol/index.ts';
import { type ClaimMachine, MATRIX, PACE, stateOf } from '../claim-machine/index.ts';
import { CALLBACK_RULES, type CallbackRules } from '../directory/callback.ts';
import { EVENT_RULES, type EventRules } from '../events/event-rules.ts';
import { type AuthenticatesClient, authenticatesClient } from '../grants/client-authentication.ts';
import { ID_JAG_CHECKS, type IdJagCheck } from '../identity/id-jag.ts';
import { matchIdJag } from '../identity/match-id-jag.ts';
import { readOlderForm } from '../identity/older-form.ts';
import { readIdJag } from '../identity/read-id-jag.ts';
import { judgeCall, type ProtectedCall } from '../resource/protected-call.ts';
import type { LiveToken } from '../store/index.ts';

/** What the service decides by: pure functions and lists, from facts to outcomes. */
export interface Decisions extends ClaimMachine, EventRules {
  /** The token that is good for a call of a protected resource, or the code that it is refused with. */
  readonly judgeCall: (call: ProtectedCall) => LiveToken | CodeAt<'resource'>;
  /** Whether a client shows a credential of its own. */
  readonly authenticatesClient: AuthenticatesClient;
  /** What the name of a callback of the directory has to keep to. */
  readonly callbackRules: CallbackRules;
  /** The email that an agent names a user by, normalized; undefined when it is none. */
  readonly readEmail: (text: string) => string | undefined;
  /** A registration in its current form; undefined when its `assertion_type` is not supported. */
  readonly readOlderForm: (request: IdentityRequest) => IdentityRequest | undefined;
  /** What the signed claims of an ID-JAG say, if they are well formed. */
  readonly readIdJag: typeof readIdJag;
  /** In the order in which they are made (wire.md §3). */
  readonly idJagChecks: readonly IdJagCheck[];
  /** What an ID-JAG comes to, by what is known of its subject and its email. */
  readonly matchIdJag: typeof matchIdJag;
}

export const DECISIONS: Decisions = {
  stateOf,
  matrix: MATRIX,
  pace: PACE,
  ...EVENT_RULES,
  judgeCall,
  authenticatesClient,
  callbackRules: CALLBACK_RULES,
  readEmail: normalizeEmail,
  readOlderForm,
  readIdJag,
  idJagChecks: ID_JAG_CHECKS,
  matchIdJag,
};
