import {
  on,
  type Tamper,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
} from '../../mock/http/tamper.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  JWKS_PATH,
  PROTECTED_RESOURCE_PATH,
} from '../../protocol/urls.ts';
import type { ServiceFault } from './service-fault.ts';

export const atUnauthorized = (path: string, response: Response) =>
  path.startsWith('/api/resource') && response.status === 401;

export const atMetadata = (path: string) => atResourceMetadata(path) || atServerMetadata(path);

export const atResourceMetadata = (path: string) => path.startsWith(PROTECTED_RESOURCE_PATH);

export const atServerMetadata = (path: string) => path === AUTHORIZATION_SERVER_PATH;

export const atKeys = (path: string) => path === JWKS_PATH;

type Json = Readonly<Record<string, unknown>>;

/** The keys that are published are other ones. */
export function withKeys(change: (keys: readonly Json[]) => readonly Json[]): Tamper {
  return withJson((body) => ({ ...body, keys: change(body['keys'] as readonly Json[]) }));
}

/** Faults: what it says wrong in what it publishes. */
export const DISCOVERY_FAULTS = {
  wrongResource: {
    description: 'names another resource in its metadata (RFC 9728 §3.3)',
    answers: on(atMetadata, withMembers({ resource: 'https://other.example' })),
  },
  wrongIssuer: {
    description: 'names another issuer in its metadata (RFC 8414 §3.3)',
    answers: on(atServerMetadata, withMembers({ issuer: 'https://other.example' })),
  },
  missingChallenge: {
    description: 'answers 401 without a challenge (RFC 9110 §15.5.2)',
    answers: on(atUnauthorized, withoutHeaders('www-authenticate')),
  },
  wrongMetadataMediaType: {
    description: 'serves its metadata as plain text (RFC 9728 §3.2, RFC 8414 §3.2)',
    answers: on(atMetadata, withHeader('content-type', 'text/plain')),
  },
  extraGrantType: {
    description: 'lists a grant type that it does not accept (RFC 8414 §2)',
    answers: on(
      atServerMetadata,
      withJson((body) => ({
        ...body,
        grant_types_supported: [
          ...(body['grant_types_supported'] as string[]),
          'urn:older:agent-auth:grant-type:claim',
        ],
      })),
    ),
  },
  missingAgentAuth: {
    description: 'has no block agent_auth in its metadata',
    answers: on(atServerMetadata, withMembers({ agent_auth: undefined })),
  },
  missingKeys: {
    description: 'publishes an empty key set (RFC 7517 §5)',
    answers: on(
      atKeys,
      withKeys(() => []),
    ),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
