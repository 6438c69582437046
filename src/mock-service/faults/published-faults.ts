import {
  on,
  type Tamper,
  withHeader,
  withJson,
  withMembers,
  withStatus,
} from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH, JWKS_PATH } from '../../protocol/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const atServerMetadata = (path: string) => path === AUTHORIZATION_SERVER_PATH;
const atKeys = (path: string) => path === JWKS_PATH;
const atSkill = (path: string) => path === '/auth.md';

type Json = Record<string, unknown>;

function agentAuth(change: (block: Json) => Json): Tamper {
  return withJson((body) => ({ ...body, agent_auth: change(body['agent_auth'] as Json) }));
}

function without(name: string): Tamper {
  return agentAuth((block) => ({ ...block, [name]: undefined }));
}

function keys(change: (keys: readonly Json[]) => readonly Json[]): Tamper {
  return withJson((body) => ({ ...body, keys: change(body['keys'] as readonly Json[]) }));
}

/** Faults of the block for agents, the key set and the skill file. */
export const PUBLISHED_FAULTS = {
  missingAgentAuth: {
    description: 'has no block agent_auth in its metadata',
    answers: on(atServerMetadata, withMembers({ agent_auth: undefined })),
    breaks: ['AR-DISC-9', 'AR-EP-2', 'ASM-11'],
    fails: { 'agent-auth': ['block'] },
  },
  missingSkillUrl: {
    description: 'does not name the URL of its skill file',
    answers: on(atServerMetadata, without('skill')),
    breaks: ['AR-AGENT-1', 'ASM-11'],
    fails: { 'agent-auth': ['skill'] },
  },
  missingIdentityEndpoint: {
    description: 'does not name its identity endpoint',
    answers: on(atServerMetadata, without('identity_endpoint')),
    breaks: ['AR-AGENT-2', 'ASM-11'],
    fails: { 'agent-auth': ['identity-endpoint'] },
  },
  missingClaimEndpoint: {
    description: 'does not name its claim endpoint',
    answers: on(atServerMetadata, without('claim_endpoint')),
    breaks: ['AR-AGENT-3', 'ASM-11'],
    fails: { 'agent-auth': ['claim-endpoint'] },
  },
  missingEventsEndpoint: {
    description: 'does not name its events endpoint',
    answers: on(atServerMetadata, without('events_endpoint')),
    breaks: ['AR-AGENT-4', 'ASM-11'],
    fails: { 'agent-auth': ['events-endpoint'] },
  },
  missingIdentityEndpointHost: {
    description: 'names its identity endpoint without a host',
    answers: on(
      atServerMetadata,
      agentAuth((block) => ({ ...block, identity_endpoint: '/agent/identity' })),
    ),
    breaks: ['PRM-12.service'],
    fails: { 'agent-auth': ['safe-addresses'] },
  },
  extraIdentityType: {
    description: 'lists a registration type that the specification does not know',
    answers: on(
      atServerMetadata,
      agentAuth((block) => ({
        ...block,
        identity_types_supported: [
          ...(block['identity_types_supported'] as string[]),
          'magic_link',
        ],
      })),
    ),
    breaks: ['AR-AGENT-5'],
    fails: { 'agent-auth': ['identity-types'] },
  },
  missingAssertionTypes: {
    description: 'does not list ID-JAGs among its assertion types',
    answers: on(atServerMetadata, without('identity_assertion')),
    breaks: ['AR-AGENT-6'],
    fails: { 'agent-auth': ['assertion-types'] },
  },
  missingEventsSupported: {
    description: 'does not list the revocation event',
    answers: on(atServerMetadata, without('events_supported')),
    breaks: ['AR-AGENT-7'],
    fails: { 'agent-auth': ['events'] },
  },
  missingKeys: {
    description: 'publishes an empty key set (RFC 7517 §5)',
    answers: on(
      atKeys,
      keys(() => []),
    ),
    breaks: ['ASM-08'],
    fails: { 'service-keys': ['served'] },
  },
  wrongKeySetMediaType: {
    description: 'serves its key set as plain text (RFC 7517 §8.5)',
    answers: on(atKeys, withHeader('content-type', 'text/plain')),
    breaks: ['ASM-08'],
    fails: { 'service-keys': ['media-type'] },
  },
  exposedPrivateKey: {
    description: 'publishes the private part of its keys (RFC 7517 §9)',
    answers: on(
      atKeys,
      keys((all) => all.map((key) => ({ ...key, d: 'AAAA' }))),
    ),
    breaks: ['JWK-01.service'],
    fails: { 'service-keys': ['public-alone'] },
  },
  repeatedKid: {
    description: 'publishes two keys under one kid (RFC 7517 §4.5)',
    answers: on(
      atKeys,
      keys((all) => [...all, ...all]),
    ),
    breaks: ['JWK-06.service'],
    fails: { 'service-keys': ['kids'] },
  },
  wrongKid: {
    description: 'numbers its keys instead of naming them by their thumbprints (RFC 7638 §3)',
    answers: on(
      atKeys,
      keys((all) => all.map((key, at) => ({ ...key, kid: `key-${at + 1}` }))),
    ),
    breaks: ['JWK-02.service'],
    fails: { 'service-keys': ['thumbprints'] },
  },
  missingKeyUse: {
    description:
      'publishes a key for encryption, and others that do not say their use (RFC 8414 §2)',
    answers: on(
      atKeys,
      keys((all) => [
        ...all.map((key) => ({ ...key, use: undefined })),
        { kty: 'AKP', kid: 'for-encryption', use: 'enc' },
      ]),
    ),
    breaks: ['ASM-18'],
    fails: { 'service-keys': ['use'] },
  },
  missingSkillFile: {
    description: 'names a skill file that does not exist',
    answers: on(atSkill, withStatus(404)),
    breaks: ['AR-DOES-5'],
    fails: { 'skill-file': ['served'] },
  },
  wrongSkillMediaType: {
    description: 'serves its skill file as plain text',
    answers: on(atSkill, withHeader('content-type', 'text/plain')),
    breaks: ['W11-01'],
    fails: { 'skill-file': ['markdown'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
