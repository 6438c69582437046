import { type FaultRegistry, registerFaults } from '../../mock/faults/registry.ts';
import type { DialectId } from '../../protocol/constants.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { CLAIM_FAULTS } from './claim-faults.ts';
import { CROSS_APP_FAULTS } from './cross-app-faults.ts';
import { DISCOVERY_FAULTS } from './discovery-faults.ts';
import { EVENT_FAULTS } from './event-faults.ts';
import { ID_JAG_FAULTS } from './id-jag-faults.ts';
import { PAGE_FAULTS } from './page-faults.ts';
import { REGISTRATION_FAULTS } from './registration-faults.ts';
import { RESOURCE_FAULTS } from './resource-faults.ts';
import type { ServiceFault } from './service-fault.ts';
import { TOKEN_FAULTS } from './token-faults.ts';
import { TRANSPORT_FAULTS } from './transport-faults.ts';
import { TRUST_FAULTS } from './trust-faults.ts';

/** The faults by what they are about, in the order in which they are listed and folded. */
export const SERVICE_FAULT_GROUPS = {
  discovery: DISCOVERY_FAULTS,
  transport: TRANSPORT_FAULTS,
  registration: REGISTRATION_FAULTS,
  claim: CLAIM_FAULTS,
  'id-jag': ID_JAG_FAULTS,
  trust: TRUST_FAULTS,
  token: TOKEN_FAULTS,
  resource: RESOURCE_FAULTS,
  events: EVENT_FAULTS,
  pages: PAGE_FAULTS,
  'cross-app': CROSS_APP_FAULTS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, ServiceFault>>>>;

/** The faults of the mock service. */
export const SERVICE_FAULTS = {
  ...DISCOVERY_FAULTS,
  ...TRANSPORT_FAULTS,
  ...REGISTRATION_FAULTS,
  ...CLAIM_FAULTS,
  ...ID_JAG_FAULTS,
  ...TRUST_FAULTS,
  ...TOKEN_FAULTS,
  ...RESOURCE_FAULTS,
  ...EVENT_FAULTS,
  ...PAGE_FAULTS,
  ...CROSS_APP_FAULTS,
} as const satisfies Readonly<Record<string, ServiceFault>>;

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

/** The faults that a dialect has nothing for, with the sentence that says so. */
export function absentIn(dialect: DialectId): ReadonlyMap<string, string> {
  const entries = (NOT_IN[dialect] ?? []).flatMap(({ faults, reason }) =>
    faults.map((name): [string, string] => [
      name,
      `The fault ${name} is not in the dialect ${dialect}, which ${reason}.`,
    ]),
  );
  return new Map(entries);
}

/** Faults that a dialect has nothing for. */
interface NothingFor {
  /** What the dialect does not have. */
  readonly reason: string;
  readonly faults: readonly string[];
}

/** What is wrong with a poll, or with what one delivers. */
const OF_THE_CLAIM_GRANT = ['noSlowDown', 'extraSlowDown', 'noDelivery', 'wrongPendingCode'];

/** The faults of what decides about a code that its user types on the page. */
const OF_TYPED_CODES: NothingFor = {
  reason: 'has its codes handed in by the agent',
  faults: ['uncheckedClaimAccount', 'noTryLimit', 'acceptedExpiredUserCode', 'stalePreClaimTokens'],
};

/** The faults that are about ID-JAGs that clients redeem. */
const OF_CROSS_APP: NothingFor = {
  reason: 'has no cross-app access',
  faults: Object.keys(CROSS_APP_FAULTS),
};

/** What each dialect has nothing for. */
const NOT_IN: Readonly<Partial<Record<DialectId, readonly NothingFor[]>>> = {
  nested: [
    OF_TYPED_CODES,
    OF_CROSS_APP,
    { reason: 'has no claim grant', faults: OF_THE_CLAIM_GRANT },
    { reason: 'has no such member in its answers', faults: ['missingClaimToken'] },
  ],
  first: [
    OF_TYPED_CODES,
    OF_CROSS_APP,
    {
      reason: 'has no token endpoint and no assertions',
      faults: [
        ...OF_THE_CLAIM_GRANT,
        'extraPreClaimScope',
        'stalePreClaimAssertion',
        'ignoredRequestedScope',
        'ignoredRevocation',
        'refusedExchange',
        'missingTokenType',
        'wrongExpiresInType',
        'wrongTokenCacheControl',
        'wrongTokenErrorBody',
        'wrongTokenMediaType',
      ],
    },
    { reason: 'has no such member in its metadata', faults: ['extraGrantType'] },
    {
      reason: 'mails the code and answers without a claim block',
      faults: ['wrongSecondsType', 'exposedUserCodeInLink', 'exposedClaimTokenInLink'],
    },
  ],
};
