import type { ProvenServiceFault } from '../proven-fault.ts';
import { ACCESS_TOKEN_FAULTS } from './access-token-faults.ts';
import { AGENT_NAME_FAULTS } from './agent-name-faults.ts';
import { ASSERTION_FAULTS } from './assertion-faults.ts';
import { BEARER_FAULTS } from './bearer-faults.ts';
import { CHALLENGE_FAULTS } from './challenge-faults.ts';
import { CLAIM_MACHINE_FAULTS } from './claim-machine-faults.ts';
import { COMPLETION_FAULTS } from './completion-faults.ts';
import { CONFIRMATION_FAULTS } from './confirmation-faults.ts';
import { CROSS_APP_METADATA_FAULTS } from './cross-app-metadata-faults.ts';
import { DIRECTORY_ANSWER_FAULTS } from './directory-answer-faults.ts';
import { DIRECTORY_CALL_FAULTS } from './directory-call-faults.ts';
import { DIRECTORY_FORMAT_FAULTS } from './directory-format-faults.ts';
import { DIRECTORY_LISTING_FAULTS } from './directory-listing-faults.ts';
import { DISCOVERY_ANSWER_FAULTS } from './discovery-answer-faults.ts';
import { EVENT_ANSWER_FAULTS } from './event-answer-faults.ts';
import { EVENT_CHECK_FAULTS } from './event-check-faults.ts';
import { EVENT_EFFECT_FAULTS } from './event-effect-faults.ts';
import { EXCHANGE_FAULTS } from './exchange-faults.ts';
import { FORWARDING_FAULTS } from './forwarding-faults.ts';
import { GRANT_FAULTS } from './grant-faults.ts';
import { GUARD_FAULTS } from './guard-faults.ts';
import { HTTP_ANSWER_FAULTS } from './http-answer-faults.ts';
import { ID_JAG_ANSWER_FAULTS } from './id-jag-answer-faults.ts';
import { ID_JAG_CHECK_FAULTS } from './id-jag-check-faults.ts';
import { ID_JAG_MATCH_FAULTS } from './id-jag-match-faults.ts';
import { ID_JAG_PRESENTING_FAULTS } from './id-jag-presenting-faults.ts';
import { ID_JAG_READING_FAULTS } from './id-jag-reading-faults.ts';
import { ID_JAG_REPLAY_FAULTS } from './id-jag-replay-faults.ts';
import { ISSUER_FAULTS } from './issuer-faults.ts';
import { JWT_FORM_FAULTS } from './jwt-form-faults.ts';
import { KEY_SET_FAULTS } from './key-set-faults.ts';
import { LATER_FAULTS } from './later-faults.ts';
import { METADATA_FAULTS } from './metadata-faults.ts';
import { MISLEADING_CODE_FAULTS } from './misleading-code-faults.ts';
import { PAGE_ANSWER_FAULTS } from './page-answer-faults.ts';
import { PAGE_FAULTS } from './page-faults.ts';
import { POLL_FAULTS } from './poll-faults.ts';
import { PUBLISHED_FAULTS } from './published-faults.ts';
import { RACE_FAULTS } from './race-faults.ts';
import { READING_FAULTS } from './reading-faults.ts';
import { REDEMPTION_CLAIM_FAULTS } from './redemption-claim-faults.ts';
import { REDEMPTION_CLIENT_FAULTS } from './redemption-client-faults.ts';
import { REDEMPTION_FAULTS } from './redemption-faults.ts';
import { REGISTERING_FAULTS } from './registering-faults.ts';
import { REGISTRATION_ANSWER_FAULTS } from './registration-answer-faults.ts';
import { REVOCATION_FAULTS } from './revocation-faults.ts';
import { SESSION_FAULTS } from './session-faults.ts';
import { SIGNATURE_FAULTS } from './signature-faults.ts';
import { TARGET_FAULTS } from './target-faults.ts';
import { TOKEN_ANSWER_FAULTS } from './token-answer-faults.ts';

/** Faults that prove checks of the suite alone, by what they are about. */
export const PROVEN_SERVICE_FAULTS = {
  discovery: {
    ...METADATA_FAULTS,
    ...DISCOVERY_ANSWER_FAULTS,
    ...PUBLISHED_FAULTS,
    ...FORWARDING_FAULTS,
  },
  transport: { ...READING_FAULTS, ...HTTP_ANSWER_FAULTS },
  registration: { ...REGISTERING_FAULTS, ...REGISTRATION_ANSWER_FAULTS, ...MISLEADING_CODE_FAULTS },
  claim: { ...CLAIM_MACHINE_FAULTS, ...COMPLETION_FAULTS, ...POLL_FAULTS, ...RACE_FAULTS },
  'id-jag': {
    ...ID_JAG_PRESENTING_FAULTS,
    ...ID_JAG_READING_FAULTS,
    ...ID_JAG_CHECK_FAULTS,
    ...ID_JAG_REPLAY_FAULTS,
    ...ID_JAG_MATCH_FAULTS,
    ...CONFIRMATION_FAULTS,
    ...ID_JAG_ANSWER_FAULTS,
  },
  trust: { ...SIGNATURE_FAULTS, ...JWT_FORM_FAULTS, ...KEY_SET_FAULTS, ...ISSUER_FAULTS },
  token: {
    ...EXCHANGE_FAULTS,
    ...GRANT_FAULTS,
    ...ASSERTION_FAULTS,
    ...LATER_FAULTS,
    ...TARGET_FAULTS,
    ...ACCESS_TOKEN_FAULTS,
    ...REVOCATION_FAULTS,
    ...TOKEN_ANSWER_FAULTS,
  },
  'cross-app': {
    ...CROSS_APP_METADATA_FAULTS,
    ...REDEMPTION_FAULTS,
    ...REDEMPTION_CLIENT_FAULTS,
    ...REDEMPTION_CLAIM_FAULTS,
  },
  resource: { ...BEARER_FAULTS, ...CHALLENGE_FAULTS, ...GUARD_FAULTS },
  events: { ...EVENT_CHECK_FAULTS, ...EVENT_EFFECT_FAULTS, ...EVENT_ANSWER_FAULTS },
  pages: { ...SESSION_FAULTS, ...PAGE_FAULTS, ...PAGE_ANSWER_FAULTS, ...AGENT_NAME_FAULTS },
  directory: {
    ...DIRECTORY_CALL_FAULTS,
    ...DIRECTORY_ANSWER_FAULTS,
    ...DIRECTORY_LISTING_FAULTS,
    ...DIRECTORY_FORMAT_FAULTS,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ProvenServiceFault>>>>;
