import {
  type AnswerFault,
  withHeader,
  withJson,
  withMembers,
  withStatus,
} from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH, JWKS_PATH } from '../../protocol/index.ts';

const atServerMetadata = (path: string) => path === AUTHORIZATION_SERVER_PATH;
const atKeys = (path: string) => path === JWKS_PATH;
const atSkill = (path: string) => path === '/auth.md';

type Json = Record<string, unknown>;

function agentAuth(change: (block: Json) => Json): AnswerFault['spoil'] {
  return withJson((body) => ({ ...body, agent_auth: change(body['agent_auth'] as Json) }));
}

function without(name: string): AnswerFault['spoil'] {
  return agentAuth((block) => ({ ...block, [name]: undefined }));
}

function keys(change: (keys: readonly Json[]) => readonly Json[]): AnswerFault['spoil'] {
  return withJson((body) => ({ ...body, keys: change(body['keys'] as readonly Json[]) }));
}

function text(change: (body: string) => string): AnswerFault['spoil'] {
  return async (response) =>
    new Response(change(await response.text()), { headers: new Headers(response.headers) });
}

/** Faults of the block for agents, the key set and the skill file. */
export const PUBLISHED_FAULTS = {
  noAgentAuth: {
    says: 'has no block agent_auth in its metadata',
    at: atServerMetadata,
    spoil: withMembers({ agent_auth: undefined }),
  },
  noSkillNamed: {
    says: 'does not name its skill file',
    at: atServerMetadata,
    spoil: without('skill'),
  },
  noIdentityEndpoint: {
    says: 'does not name its identity endpoint',
    at: atServerMetadata,
    spoil: without('identity_endpoint'),
  },
  noClaimEndpoint: {
    says: 'does not name its claim endpoint',
    at: atServerMetadata,
    spoil: without('claim_endpoint'),
  },
  noEventsEndpoint: {
    says: 'does not name its events endpoint',
    at: atServerMetadata,
    spoil: without('events_endpoint'),
  },
  relativeAddress: {
    says: 'names its identity endpoint without a host',
    at: atServerMetadata,
    spoil: agentAuth((block) => ({ ...block, identity_endpoint: '/agent/identity' })),
  },
  endpointElsewhere: {
    says: 'names a claim endpoint of another origin',
    at: atServerMetadata,
    spoil: agentAuth((block) => ({ ...block, claim_endpoint: 'https://other.example/claim' })),
  },
  unknownIdentityType: {
    says: 'lists a registration type that the specification does not know',
    at: atServerMetadata,
    spoil: agentAuth((block) => ({
      ...block,
      identity_types_supported: [...(block['identity_types_supported'] as string[]), 'magic_link'],
    })),
  },
  assertionTypesUnlisted: {
    says: 'does not list the type of ID-JAGs',
    at: atServerMetadata,
    spoil: without('identity_assertion'),
  },
  eventsUnlisted: {
    says: 'does not list the revocation event',
    at: atServerMetadata,
    spoil: without('events_supported'),
  },
  noKeys: {
    says: 'publishes an empty key set (RFC 7517 §5)',
    at: atKeys,
    spoil: keys(() => []),
  },
  keysAsText: {
    says: 'sends its key set as plain text (RFC 7517 §8.5)',
    at: atKeys,
    spoil: withHeader('content-type', 'text/plain'),
  },
  privateKeysPublished: {
    says: 'publishes a private member of its keys (RFC 7517 §9)',
    at: atKeys,
    spoil: keys((all) => all.map((key) => ({ ...key, d: 'AAAA' }))),
  },
  kidTwice: {
    says: 'publishes two keys under one kid (RFC 7517 §4.5)',
    at: atKeys,
    spoil: keys((all) => [...all, ...all]),
  },
  kidCounted: {
    says: 'numbers its keys instead of using thumbprints (RFC 7638 §3)',
    at: atKeys,
    spoil: keys((all) => all.map((key, at) => ({ ...key, kid: `key-${at + 1}` }))),
  },
  keyUseUnsaid: {
    says: 'mixes keys to encrypt with keys that do not say their use (RFC 8414 §2)',
    at: atKeys,
    spoil: keys((all) => [
      ...all.map((key) => ({ ...key, use: undefined })),
      { kty: 'AKP', kid: 'for-encryption', use: 'enc' },
    ]),
  },
  noSkillFile: {
    says: 'names a skill file that is not there',
    at: atSkill,
    spoil: withStatus(404),
  },
  skillAsText: {
    says: 'sends its skill file as plain text',
    at: atSkill,
    spoil: withHeader('content-type', 'text/plain'),
  },
  skillIncomplete: {
    says: 'leaves revocation out of its skill file',
    at: atSkill,
    spoil: text((body) => body.replace(/revo[ck]\w*/gi, 'the rest')),
  },
  skillWithoutErrors: {
    says: 'leaves errors out of its skill file',
    at: atSkill,
    spoil: text((body) => body.replace(/errors?|invalid_\w*|\b4\d\d\b/gi, '')),
  },
  skillOutdated: {
    says: 'names addresses of another server in its skill file',
    at: atSkill,
    spoil: text((body) => body.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://old.example')),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
