import {
  type CodeAt,
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadataUrl,
} from '../../protocol/index.ts';
import type { ChallengeParams, ProtectedCall } from '../resource/protected-call.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

interface Refused {
  readonly call: ProtectedCall;
  readonly code: CodeAt<'resource'>;
}

/** What is said to a call that is refused, said another way. */
function challenging(
  change: (right: ChallengeParams, refused: Refused) => ChallengeParams | Promise<ChallengeParams>,
): Rewired {
  return ({ challengeTo }) => ({
    challengeTo: async (call, code) => change(await challengeTo(call, code), { call, code }),
  });
}

/** Faults of the challenge that a call of a protected resource is refused with. */
export const CHALLENGE_FAULTS = {
  missingMetadataHint: {
    description: 'leaves the URL of its metadata out of its challenge (RFC 9728 §5.1)',
    parts: challenging((right) => ({ ...right, resource_metadata: undefined })),
    breaks: ['BRR-05', 'AR-ERR-1', 'AR-EP-3', 'PRM-09'],
    fails: { challenge: ['bearer', 'metadata-hint'] },
  },
  missingBadTokenHint: {
    description:
      'leaves the URL of its metadata out of the challenge to a bad token (RFC 9728 §5.1)',
    parts: challenging((right, { code }) =>
      code === 'missing_token' ? right : { ...right, resource_metadata: undefined },
    ),
    breaks: ['AR-ERR-1', 'PRM-09', 'BRR-05'],
    fails: { challenge: ['bad-token-hint'], 'bearer-errors': ['challenge'] },
  },
  wrongMetadataHint: {
    description: 'names in its challenge a URL that has no metadata (RFC 9728 §5.1)',
    parts: challenging((right, { call }) => ({
      ...right,
      resource_metadata: `${new URL(call.url).origin}/nowhere`,
    })),
    breaks: ['W2-13', 'AR-DOES-6.service', 'AR-EP-1', 'BCP-07'],
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
    breaks: ['W2-13', 'PRM-02', 'W2-01', 'W2-02'],
    fails: {
      challenge: ['inserted-hint'],
      'resource-metadata': ['inserted', 'requested-resource'],
    },
  },
  extraChallengeError: {
    description: 'names an error in the challenge to a call without a token (RFC 6750 §3.1)',
    parts: challenging((right) => ({ ...right, error: right['error'] ?? 'invalid_token' })),
    breaks: ['BRR-06', 'W2-15'],
    fails: { challenge: ['no-error'] },
  },
  missingChallengeError: {
    description: 'names no error in the challenge to a bad token (RFC 6750 §3.1)',
    parts: challenging((right, { code }) =>
      code === 'invalid_token' ? { ...right, error: undefined } : right,
    ),
    breaks: ['BRR-07'],
    fails: { 'bearer-errors': ['invalid-token'] },
  },
  missingChallengeScope: {
    description: 'does not say in its challenge which scope a call needs (RFC 6750 §3.1)',
    parts: challenging((right) => ({ ...right, scope: undefined })),
    breaks: ['BRR-08', 'W2-16'],
    fails: { 'insufficient-scope': ['needed-scope'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
