import { withoutService } from '../../mock/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

/** The whole service is unavailable. */
export const AVAILABILITY_FAULTS = {
  unavailable: {
    description: 'answers 503 to everything but its controls',
    parts: withoutService,
    breaks: ['AR-EP-3', 'AR-ERR-1', 'PRM-04', 'AR-EP-1', 'ASM-08', 'AR-DOES-5'],
    fails: {
      challenge: ['unauthenticated'],
      'resource-metadata': ['served'],
      'service-keys': ['served'],
      'skill-file': ['served'],
    },
    needs: { late: true },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
