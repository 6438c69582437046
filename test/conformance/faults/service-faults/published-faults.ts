import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import {
  atKeys,
  atServerMetadata,
  withKeys,
} from '../../../../src/mock-service/faults/discovery-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withHeader, withJson, withStatus } = rewire;

const atSkill = (path: string) => path === '/auth.md';

type Json = Readonly<Record<string, unknown>>;

function agentAuth(change: (block: Json) => Json): Tamper {
  return withJson((body) => ({ ...body, agent_auth: change(body['agent_auth'] as Json) }));
}

function without(name: string): Tamper {
  return agentAuth((block) => ({ ...block, [name]: undefined }));
}

/** Faults of the block for agents, the key set and the skill file. */
export const PUBLISHED_FAULTS = {
  missingSkillUrl: {
    description: 'does not name the URL of its skill file',
    answers: on(atServerMetadata, without('skill')),
    fails: { 'agent-auth': ['skill'] },
  },
  missingIdentityEndpoint: {
    description: 'does not name its identity endpoint',
    answers: on(atServerMetadata, without('identity_endpoint')),
    fails: { 'agent-auth': ['identity-endpoint'] },
  },
  missingClaimEndpoint: {
    description: 'does not name its claim endpoint',
    answers: on(atServerMetadata, without('claim_endpoint')),
    fails: { 'agent-auth': ['claim-endpoint'] },
  },
  missingEventsEndpoint: {
    description: 'does not name its events endpoint',
    answers: on(atServerMetadata, without('events_endpoint')),
    fails: { 'agent-auth': ['events-endpoint'] },
  },
  missingIdentityEndpointHost: {
    description: 'names its identity endpoint without a host',
    answers: on(
      atServerMetadata,
      agentAuth((block) => ({ ...block, identity_endpoint: '/agent/identity' })),
    ),
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
    fails: { 'agent-auth': ['identity-types'] },
  },
  missingAssertionTypes: {
    description: 'does not list ID-JAGs among its assertion types',
    answers: on(atServerMetadata, without('identity_assertion')),
    fails: { 'agent-auth': ['assertion-types'] },
  },
  missingEventsSupported: {
    description: 'does not list the revocation event',
    answers: on(atServerMetadata, without('events_supported')),
    fails: { 'agent-auth': ['events'] },
  },
  wrongKeySetMediaType: {
    description: 'serves its key set as plain text (RFC 7517 §8.5)',
    answers: on(atKeys, withHeader('content-type', 'text/plain')),
    fails: { 'service-keys': ['media-type'] },
  },
  exposedPrivateKey: {
    description: 'publishes the private part of its keys (RFC 7517 §9)',
    answers: on(
      atKeys,
      withKeys((all) => all.map((key) => ({ ...key, d: 'AAAA' }))),
    ),
    fails: { 'service-keys': ['public-alone'] },
  },
  repeatedKid: {
    description: 'publishes two keys under one kid (RFC 7517 §4.5)',
    answers: on(
      atKeys,
      withKeys((all) => [...all, ...all]),
    ),
    fails: { 'service-keys': ['kids'] },
  },
  wrongKid: {
    description: 'numbers its keys instead of naming them by their thumbprints (RFC 7638 §3)',
    answers: on(
      atKeys,
      withKeys((all) => all.map((key, at) => ({ ...key, kid: `key-${at + 1}` }))),
    ),
    fails: { 'service-keys': ['thumbprints'] },
  },
  missingKeyUse: {
    description:
      'publishes a key for encryption, and others that do not say their use (RFC 8414 §2)',
    answers: on(
      atKeys,
      withKeys((all) => [
        ...all.map((key) => ({ ...key, use: undefined })),
        { kty: 'AKP', kid: 'for-encryption', use: 'enc' },
      ]),
    ),
    fails: { 'service-keys': ['use'] },
  },
  missingSkillFile: {
    description: 'names a skill file that does not exist',
    answers: on(atSkill, withStatus(404)),
    fails: { 'skill-file': ['served'] },
  },
  wrongSkillMediaType: {
    description: 'serves its skill file as plain text',
    answers: on(atSkill, withHeader('content-type', 'text/plain')),
    fails: { 'skill-file': ['markdown'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
