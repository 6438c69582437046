import { challenging } from '../../../../src/mock-service/faults/resource-faults.ts';
import {
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadataUrl,
} from '../../../../src/protocol/urls.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

/** Faults of the challenge that a call of a protected resource is refused with. */
export const CHALLENGE_FAULTS = {
  missingBadTokenHint: {
    description:
      'leaves the URL of its metadata out of the challenge to a bad token (RFC 9728 §5.1)',
    parts: challenging((right, { code }) =>
      code === 'missing_token' ? right : { ...right, resource_metadata: undefined },
    ),
    fails: { challenge: ['bad-token-hint'], 'bearer-errors': ['challenge'] },
  },
  wrongMetadataHint: {
    description: 'names in its challenge a URL that has no metadata (RFC 9728 §5.1)',
    parts: challenging((right, { call }) => ({
      ...right,
      resource_metadata: `${new URL(call.url).origin}/nowhere`,
    })),
    fails: { challenge: ['inserted-hint', 'leads-to-metadata'] },
  },
  missingPathMetadata: {
    description: 'publishes metadata for its origin only, not for each path (RFC 9728 §3.1)',
    parts: (mock) => ({
      ...challenging((right, { call }) => ({
        ...right,
        resource_metadata: protectedResourceMetadataUrl(new URL(call.url).origin),
      }))(mock),
      routes: (service) =>
        mock.routes(service).filter(({ path }) => !path.startsWith(`${PROTECTED_RESOURCE_PATH}/`)),
    }),
    fails: {
      challenge: ['inserted-hint'],
      'resource-metadata': ['inserted', 'requested-resource'],
    },
  },
  extraChallengeError: {
    description: 'names an error in the challenge to a call without a token (RFC 6750 §3.1)',
    parts: challenging((right) => ({ ...right, error: right['error'] ?? 'invalid_token' })),
    fails: { challenge: ['no-error'] },
  },
  missingChallengeError: {
    description: 'names no error in the challenge to a bad token (RFC 6750 §3.1)',
    parts: challenging((right, { code }) =>
      code === 'invalid_token' ? { ...right, error: undefined } : right,
    ),
    fails: { 'bearer-errors': ['invalid-token'] },
  },
  missingChallengeScope: {
    description: 'does not say in its challenge which scope a call needs (RFC 6750 §3.1)',
    parts: challenging((right) => ({ ...right, scope: undefined })),
    fails: { 'insufficient-scope': ['needed-scope'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
