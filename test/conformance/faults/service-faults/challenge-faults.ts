import { atChallenge } from '../../../../src/mock-service/faults/resource-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import {
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadataUrl,
} from '../../../../src/protocol/urls.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on } = rewire;

type Params = Readonly<Record<string, string | undefined>>;

/** What is said to a call that is refused, said another way. */
function challenging(change: (right: Params, issuer: string) => Params) {
  return on(atChallenge, (response) => {
    const said = response.headers.get('www-authenticate') ?? '';
    const right = Object.fromEntries(
      [...said.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value]) => [name, value]),
    );
    const { origin } = new URL(right['resource_metadata'] ?? '');
    const params = Object.entries(change(right, origin)).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}="${value}"`],
    );
    response.headers.set('www-authenticate', `Bearer ${params.join(', ')}`.trimEnd());
    return response;
  });
}

/** Faults of the challenge that a call of a protected resource is refused with. */
export const CHALLENGE_FAULTS = {
  missingBadTokenHint: {
    description:
      'leaves the URL of its metadata out of the challenge to a bad token (RFC 9728 §5.1)',
    answers: challenging((right) =>
      right['error'] === undefined ? right : { ...right, resource_metadata: undefined },
    ),
    fails: { challenge: ['bad-token-hint'], 'bearer-errors': ['challenge'] },
  },
  wrongMetadataHint: {
    description: 'names in its challenge a URL that has no metadata (RFC 9728 §5.1)',
    answers: challenging((right, issuer) => ({
      ...right,
      resource_metadata: `${issuer}/nowhere`,
    })),
    fails: { challenge: ['inserted-hint', 'leads-to-metadata'] },
  },
  missingPathMetadata: {
    description: 'publishes metadata for its origin only, not for each path (RFC 9728 §3.1)',
    answers: challenging((right, issuer) => ({
      ...right,
      resource_metadata: protectedResourceMetadataUrl(issuer),
    })),
    parts: (mock) => ({
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
    answers: challenging((right) => ({ ...right, error: right['error'] ?? 'invalid_token' })),
    fails: { challenge: ['no-error'] },
  },
  missingChallengeError: {
    description: 'names no error in the challenge to a bad token (RFC 6750 §3.1)',
    answers: challenging((right) =>
      right['error'] === 'invalid_token' ? { ...right, error: undefined } : right,
    ),
    fails: { 'bearer-errors': ['invalid-token'] },
  },
  missingChallengeScope: {
    description: 'does not say in its challenge which scope a call needs (RFC 6750 §3.1)',
    answers: challenging((right) => ({ ...right, scope: undefined })),
    fails: { 'insufficient-scope': ['needed-scope'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
