import type { ProviderFaultName } from '../../../src/mock-provider/index.ts';
import type { ServiceFaultName } from '../../../src/mock-service/index.ts';

/** Of cross-app access, which no check is about yet: `cross-app-faults.test.ts` of each mock shows what they do. */
export const UNJUDGED = {
  service: [
    'noClientAuthentication',
    'ignoredConfirmation',
    'acceptedRedeemedIdJag',
    'crashingOddJti',
    'staleIntrospection',
  ],
  provider: [],
} as const satisfies {
  readonly service: readonly ServiceFaultName[];
  readonly provider: readonly ProviderFaultName[];
};
