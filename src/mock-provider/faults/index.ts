import { type FaultRegistry, registerFaults } from '../../mock/index.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { CONSENT_ANSWER_FAULTS, CONSENT_FAULTS } from './consent-faults.ts';
import { DOCUMENT_ANSWER_FAULTS, DOCUMENT_FAULTS } from './document-faults.ts';
import { EVENT_FAULTS } from './event-faults.ts';
import { ID_JAG_FAULTS } from './id-jag-faults.ts';
import { MINT_ANSWER_FAULTS, MINT_FAULTS } from './mint-faults.ts';
import type { BuiltInProviderFault, ProviderFault } from './provider-fault.ts';
import { SESSION_FAULTS } from './session-faults.ts';
import { SIGN_IN_ANSWER_FAULTS, SIGN_IN_FAULTS } from './sign-in-faults.ts';
import { TOKEN_REQUEST_FAULTS } from './token-request-faults.ts';

/** The faults by what they are about, in the order in which they are listed and folded. */
export const PROVIDER_FAULT_GROUPS = {
  documents: { ...DOCUMENT_FAULTS, ...DOCUMENT_ANSWER_FAULTS },
  'sign-in': { ...SIGN_IN_FAULTS, ...SESSION_FAULTS, ...SIGN_IN_ANSWER_FAULTS },
  minting: { ...ID_JAG_FAULTS, ...MINT_FAULTS, ...TOKEN_REQUEST_FAULTS, ...MINT_ANSWER_FAULTS },
  consents: { ...CONSENT_FAULTS, ...CONSENT_ANSWER_FAULTS },
  events: EVENT_FAULTS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, BuiltInProviderFault>>>>;

/** The faults of the mock provider. */
export const PROVIDER_FAULTS = {
  ...PROVIDER_FAULT_GROUPS.documents,
  ...PROVIDER_FAULT_GROUPS['sign-in'],
  ...PROVIDER_FAULT_GROUPS.minting,
  ...PROVIDER_FAULT_GROUPS.consents,
  ...PROVIDER_FAULT_GROUPS.events,
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;

export type { ProviderFault };

/** The name of a fault of the provider: `agent-auth mock fault --list` lists them. */
export type ProviderFaultName = keyof typeof PROVIDER_FAULTS;

/** The names of all faults of the provider. */
export const PROVIDER_FAULT_NAMES = Object.keys(PROVIDER_FAULTS) as readonly ProviderFaultName[];

/** The built-in faults, and those that an option brings along. */
export function providerFaults(
  given: readonly (string | ProviderFault)[],
): FaultRegistry<ProviderContext> {
  return registerFaults<ProviderContext>(PROVIDER_FAULT_GROUPS, given);
}
