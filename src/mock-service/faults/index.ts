import { type FaultRegistry, registerFaults } from '../../mock/index.ts';
import type { DialectId } from '../../protocol/index.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { ACCESS_TOKEN_FAULTS } from './access-token-faults.ts';
import { AGENT_NAME_FAULTS } from './agent-name-faults.ts';
import { ASSERTION_FAULTS } from './assertion-faults.ts';
import { AVAILABILITY_FAULTS } from './availability-faults.ts';
import { BEARER_FAULTS } from './bearer-faults.ts';
import { CHALLENGE_FAULTS } from './challenge-faults.ts';
import { CLAIM_MACHINE_FAULTS } from './claim-machine-faults.ts';
import { COMPLETION_FAULTS } from './completion-faults.ts';
import { CONFIRMATION_FAULTS } from './confirmation-faults.ts';
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
import { NOT_IN } from './not-in.ts';
import { PAGE_ANSWER_FAULTS } from './page-answer-faults.ts';
import { PAGE_FAULTS } from './page-faults.ts';
import { POLL_FAULTS } from './poll-faults.ts';
import { PUBLISHED_FAULTS } from './published-faults.ts';
import { RACE_FAULTS } from './race-faults.ts';
import { READING_FAULTS } from './reading-faults.ts';
import { REGISTERING_FAULTS } from './registering-faults.ts';
import { REGISTRATION_ANSWER_FAULTS } from './registration-answer-faults.ts';
import { REVOCATION_FAULTS } from './revocation-faults.ts';
import type { BuiltInServiceFault, ServiceFault } from './service-fault.ts';
import { SESSION_FAULTS } from './session-faults.ts';
import { SIGNATURE_FAULTS } from './signature-faults.ts';
import { TARGET_FAULTS } from './target-faults.ts';
import { TOKEN_ANSWER_FAULTS } from './token-answer-faults.ts';

/** The faults by what they are about, in the order in which they are listed and folded. */
export const SERVICE_FAULT_GROUPS = {
  discovery: {
    ...METADATA_FAULTS,
    ...DISCOVERY_ANSWER_FAULTS,
    ...PUBLISHED_FAULTS,
    ...FORWARDING_FAULTS,
  },
  transport: { ...AVAILABILITY_FAULTS, ...READING_FAULTS, ...HTTP_ANSWER_FAULTS },
  registration: {
    ...REGISTERING_FAULTS,
    ...REGISTRATION_ANSWER_FAULTS,
    ...MISLEADING_CODE_FAULTS,
  },
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
  resource: { ...BEARER_FAULTS, ...CHALLENGE_FAULTS },
  events: { ...EVENT_CHECK_FAULTS, ...EVENT_EFFECT_FAULTS, ...EVENT_ANSWER_FAULTS },
  pages: { ...SESSION_FAULTS, ...PAGE_FAULTS, ...PAGE_ANSWER_FAULTS, ...AGENT_NAME_FAULTS },
  directory: {
    ...DIRECTORY_CALL_FAULTS,
    ...DIRECTORY_ANSWER_FAULTS,
    ...DIRECTORY_LISTING_FAULTS,
    ...DIRECTORY_FORMAT_FAULTS,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, BuiltInServiceFault>>>>;

/** The faults of the mock service. */
export const SERVICE_FAULTS = {
  ...SERVICE_FAULT_GROUPS.discovery,
  ...SERVICE_FAULT_GROUPS.transport,
  ...SERVICE_FAULT_GROUPS.registration,
  ...SERVICE_FAULT_GROUPS.claim,
  ...SERVICE_FAULT_GROUPS['id-jag'],
  ...SERVICE_FAULT_GROUPS.trust,
  ...SERVICE_FAULT_GROUPS.token,
  ...SERVICE_FAULT_GROUPS.resource,
  ...SERVICE_FAULT_GROUPS.events,
  ...SERVICE_FAULT_GROUPS.pages,
  ...SERVICE_FAULT_GROUPS.directory,
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;

export type { ServiceFault };

/** The name of a fault of the service: `agent-auth mock fault --list` lists them. */
export type ServiceFaultName = keyof typeof SERVICE_FAULTS;

/** The names of all faults of the service. */
export const SERVICE_FAULT_NAMES = Object.keys(SERVICE_FAULTS) as readonly ServiceFaultName[];

/** The faults of a service, of all dialects, and those that this one cannot have, each with the reason. */
export interface ServiceFaults extends FaultRegistry<ServiceContext> {
  readonly absent: ReadonlyMap<string, string>;
}

/**
 * The built-in faults of a service that speaks this dialect, and those that an option brings along.
 * @throws TypeError for one that the dialect has nothing for.
 */
export function serviceFaults(
  given: readonly (string | ServiceFault)[],
  dialect: DialectId,
): ServiceFaults {
  const absent = absentIn(dialect);
  for (const fault of given) {
    const why = typeof fault === 'string' ? absent.get(fault) : undefined;
    if (why !== undefined) throw new TypeError(why);
  }
  const registry = registerFaults<ServiceContext>(SERVICE_FAULT_GROUPS, given);
  const faults = new Map([...registry.faults].filter(([name]) => !absent.has(name)));
  return { ...registry, faults, absent };
}

/** Each fault that a dialect has nothing for, with the sentence that says so. */
export function absentIn(dialect: DialectId): ReadonlyMap<string, string> {
  const entries = (NOT_IN[dialect] ?? []).flatMap(({ faults, reason }) =>
    faults.map((name): [string, string] => [
      name,
      `The fault ${name} is not in the dialect ${dialect}, which ${reason}.`,
    ]),
  );
  return new Map(entries);
}
