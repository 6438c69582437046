import { atServerMetadata } from '../../../../src/mock-service/faults/discovery-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withJson } = rewire;

/** Faults of what the metadata says of cross-app access. */
export const CROSS_APP_METADATA_FAULTS = {
  exposedIssuerAsProfile: {
    description: 'names in its grant profiles whom it trusts (ID-JAG §9.4)',
    answers: on(
      atServerMetadata,
      withJson((body) => ({
        ...body,
        authorization_grant_profiles_supported: [
          ...(body['authorization_grant_profiles_supported'] as string[]),
          'https://id.example.com',
        ],
      })),
    ),
    fails: { 'cross-app-metadata': ['no-issuers'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
