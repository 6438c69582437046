import { IDENTITY, ISSUER, SKILL, TOKEN } from './example-urls.ts';
import type { Rule } from './rule.ts';

const DISCOVERY = 'specification, Discovery metadata';

/** Of the skill file, the issuer, and URLs of somebody or something else. */
export const OTHER_REGISTRATION_RULES = {
  'events-url-is-revocation': {
    document: 'block',
    severity: 'warning',
    holds: 'revocation_uri in agent_auth is not the URL where tokens are revoked.',
    why: 'It had the meaning of events_endpoint: where providers report what ended.',
    source: 'the published families: revocation_uri in v0.1 and v0.2, events_endpoint since v0.3',
    before: {
      issuer: ISSUER,
      revocation_endpoint: `${ISSUER}/oauth2/revoke`,
      agent_auth: { identity_endpoint: IDENTITY, revocation_uri: `${ISSUER}/oauth2/revoke` },
    },
    after: {
      issuer: ISSUER,
      revocation_endpoint: `${ISSUER}/oauth2/revoke`,
      agent_auth: { identity_endpoint: IDENTITY, events_endpoint: `${ISSUER}/agent/event/notify` },
    },
  },
  'skill-not-a-url': {
    document: 'block',
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'skill is the URL of the skill file.',
    why: 'Agents fetch it; a sentence in its place is lost.',
    source: DISCOVERY,
    before: { agent_auth: { skill: 'Registers agents by email.' } },
    after: { agent_auth: { skill: SKILL } },
  },
  'skill-of-another-host': {
    document: 'block',
    severity: 'warning',
    holds: 'The skill file is one of the service’s own.',
    why: 'That of a scanner, or of whoever wrote the protocol, says nothing about this service.',
    source: DISCOVERY,
    before: {
      issuer: ISSUER,
      agent_auth: { skill: 'https://scanner.test/auth.md', identity_endpoint: IDENTITY },
    },
    after: { issuer: ISSUER, agent_auth: { skill: SKILL, identity_endpoint: IDENTITY } },
  },
  'issuer-missing': {
    document: 'server',
    severity: 'warning',
    holds: 'The metadata names its issuer.',
    why: 'It is required. Agents take the origin that they asked for it, and no other place.',
    source: 'RFC 8414 §2',
    before: { token_endpoint: TOKEN },
    after: { issuer: ISSUER, token_endpoint: TOKEN },
  },
  'issuer-host-differs': {
    document: 'server',
    severity: 'error',
    holds: 'The issuer is on the host that serves its metadata.',
    why: 'Agents refuse the metadata of another issuer: anybody could write it.',
    source: 'RFC 8414 §3.3',
    before:
      'https://preview.example.com/.well-known/oauth-authorization-server\n{"issuer": "https://api.example.com", …}',
    after:
      'https://api.example.com/.well-known/oauth-authorization-server\n{"issuer": "https://api.example.com", …}',
  },
  'issuer-final-slash': {
    document: 'resource',
    severity: 'error',
    holds: 'The resource names the issuer letter for letter, with or without a final slash.',
    why: 'Both are compared as strings.',
    source: 'RFC 9728 §3.3',
    before: { resource: ISSUER, authorization_servers: [`${ISSUER}/`], issuer: ISSUER },
    after: { resource: ISSUER, authorization_servers: [ISSUER], issuer: ISSUER },
  },
  'foreign-endpoint': {
    document: 'block',
    severity: 'warning',
    holds: 'Agents register on the origin of the issuer.',
    why: 'An agent must not post to another one unless its user allows it.',
    source: DISCOVERY,
    before: {
      issuer: ISSUER,
      agent_auth: { identity_endpoint: 'https://agents.example.net/identity' },
    },
    after: { issuer: ISSUER, agent_auth: { identity_endpoint: IDENTITY } },
  },
  'own-members-demanded': {
    document: 'block',
    severity: 'warning',
    holds: 'A registration needs no members of the service’s own.',
    why: 'Agents do not know them, and have to ask their user.',
    source: DISCOVERY,
    before: {
      agent_auth: {
        register_uri: IDENTITY,
        registration_methods: [{ request_body_schema: { hash_proof: 'string' } }],
      },
    },
    after: { agent_auth: { register_uri: IDENTITY } },
  },
} as const satisfies Readonly<Record<string, Rule>>;
