import { type FaultRegistry, registerFaults } from '../../mock/faults/registry.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { CONSENT_FAULTS } from './consent-faults.ts';
import { CROSS_APP_FAULTS } from './cross-app-faults.ts';
import { DOCUMENT_FAULTS } from './document-faults.ts';
import { EVENT_FAULTS } from './event-faults.ts';
import { MINT_FAULTS } from './mint-faults.ts';
import type { ProviderFault } from './rewiring.ts';
import { SIGN_IN_FAULTS } from './sign-in-faults.ts';

/** The faults by what they are about, in the order in which they are listed and folded. */
export const PROVIDER_FAULT_GROUPS = {
  documents: DOCUMENT_FAULTS,
  'sign-in': SIGN_IN_FAULTS,
  minting: MINT_FAULTS,
  consents: CONSENT_FAULTS,
  events: EVENT_FAULTS,
  'cross-app': CROSS_APP_FAULTS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, ProviderFault>>>>;

/** The faults of the mock provider. */
export const PROVIDER_FAULTS = {
  ...DOCUMENT_FAULTS,
  ...SIGN_IN_FAULTS,
  ...MINT_FAULTS,
  ...CONSENT_FAULTS,
  ...EVENT_FAULTS,
  ...CROSS_APP_FAULTS,
} as const satisfies Readonly<Record<string, ProviderFault>>;

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
