import type { RuleId } from '../../../discovery/index.ts';
import { CLAIM, CLAIM_GRANT, IDENTITY, ISSUER, JWT_BEARER, SKILL, TOKEN } from './example-urls.ts';
import { OTHER_RECOGNISED_RULES } from './other-recognised-rules.ts';
import type { Rule } from './rule.ts';

/** `register_url_missing` as `register-url-missing`. */
export type Dashed<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}-${Dashed<Tail>}`
  : Name;

const DISCOVERY = 'specification, Discovery metadata';

/** What recognition finds, and `discover` tells agents too: its checks are in `src/discovery`. */
export const RECOGNISED_RULES = {
  'agent-auth-not-an-object': {
    severity: 'error',
    holds: 'agent_auth is an object.',
    why: 'Its members say where and how agents register.',
    source: DISCOVERY,
    before: { issuer: ISSUER, agent_auth: true },
    after: { issuer: ISSUER, agent_auth: { identity_endpoint: IDENTITY } },
  },
  'agent-auth-at-top-level': {
    severity: 'warning',
    holds: 'The members of agent_auth stand in an object of that name.',
    why: 'Beside it, registration_endpoint and others have another meaning (RFC 7591).',
    source: DISCOVERY,
    before: { issuer: ISSUER, identity_endpoint: IDENTITY },
    after: { issuer: ISSUER, agent_auth: { identity_endpoint: IDENTITY } },
  },
  'register-url-missing': {
    severity: 'error',
    holds: 'agent_auth names the URL at which agents register.',
    why: 'Without it a registration is advertised that nobody can make.',
    source: DISCOVERY,
    before: { agent_auth: { skill: SKILL, claim_endpoint: CLAIM } },
    after: { agent_auth: { skill: SKILL, identity_endpoint: IDENTITY, claim_endpoint: CLAIM } },
  },
  'register-url-unusable': {
    severity: 'error',
    holds:
      'The URL to register at is an endpoint: not null, no mailto:, no page, no fragment, no template, not the skill file.',
    why: 'Agents post to it. What is there for people cannot answer them.',
    source: DISCOVERY,
    before: { agent_auth: { skill: SKILL, register_uri: SKILL } },
    after: { agent_auth: { skill: SKILL, identity_endpoint: IDENTITY } },
  },
  'register-url-older-name': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'The URL to register at is in identity_endpoint; register_uri may stand beside it.',
    why: 'register_uri alone is of v0.1; what came after reads identity_endpoint, scanners register_uri.',
    source: 'the published families: register_uri in v0.1, identity_endpoint since v0.2',
    before: {
      agent_auth: {
        register_uri: IDENTITY,
        claim_grant_type: CLAIM_GRANT,
        identity_types_supported: ['anonymous'],
      },
    },
    after: {
      agent_auth: {
        identity_endpoint: IDENTITY,
        register_uri: IDENTITY,
        claim_grant_type: CLAIM_GRANT,
        identity_types_supported: ['anonymous'],
      },
    },
  },
  'register-url-unknown-name': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'The URL to register at has a name that a published family uses.',
    why: 'A member of another name is not read.',
    source: DISCOVERY,
    before: { agent_auth: { register_url: IDENTITY, identity_types_supported: ['anonymous'] } },
    after: { agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] } },
  },
  'register-urls-differ': {
    severity: 'warning',
    holds: 'Names of the URL to register at, where several are given, have the same value.',
    why: 'They are names of one thing; which one an agent reads depends on its age.',
    source: 'the published families: register_uri in v0.1, identity_endpoint since v0.2',
    before: {
      agent_auth: { identity_endpoint: IDENTITY, register_uri: `${ISSUER}/agent/auth` },
    },
    after: { agent_auth: { identity_endpoint: IDENTITY, register_uri: IDENTITY } },
  },
  'register-url-is-token-endpoint': {
    severity: 'warning',
    holds: 'A registration and a token have URLs of their own.',
    why: 'One takes JSON and the other a form; what answers both is seldom either.',
    source: 'RFC 6749 §3.2',
    before: { issuer: ISSUER, token_endpoint: TOKEN, agent_auth: { identity_endpoint: TOKEN } },
    after: { issuer: ISSUER, token_endpoint: TOKEN, agent_auth: { identity_endpoint: IDENTITY } },
  },
  'says-no-registration': {
    severity: 'warning',
    holds: 'agent_auth describes a registration that exists.',
    why: 'Documents that say of themselves that nobody registers here are honest where they say it in x-no-registration, registration_not_required or registration_required: then this is a note.',
    source: 'the published documents',
    before: { agent_auth: { register_uri: IDENTITY, identity_types_supported: ['none'] } },
    after: { agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] } },
  },
  'relative-url': {
    severity: 'error',
    holds: 'Each URL is absolute.',
    why: 'A document may be read far from where it lies.',
    source: 'RFC 8414 §2',
    before: { issuer: ISSUER, agent_auth: { identity_endpoint: '/agent/identity' } },
    after: { issuer: ISSUER, agent_auth: { identity_endpoint: IDENTITY } },
  },
  'insecure-url': {
    severity: 'error',
    holds: 'Each URL is https, but for a service on this machine.',
    why: 'Agents send credentials there, and refuse http.',
    source: 'RFC 8414 §2',
    before: { issuer: ISSUER, token_endpoint: 'http://api.example.com/oauth2/token' },
    after: { issuer: ISSUER, token_endpoint: TOKEN },
  },
  'url-template': {
    severity: 'error',
    holds: 'Each URL can be called as it stands.',
    why: 'Agents do not fill in templates; an answer may name a URL of its own.',
    source: DISCOVERY,
    before: {
      agent_auth: { identity_endpoint: IDENTITY, claim_uri: `${ISSUER}/agents/{id}/claim` },
    },
    after: { agent_auth: { identity_endpoint: IDENTITY, claim_uri: CLAIM } },
  },
  'not-a-url': {
    severity: 'error',
    holds: 'A member that names a URL has one of http or https.',
    why: 'What does not exist is left out: null, mailto: and a sentence are no URLs.',
    source: 'RFC 8414 §2',
    before: { agent_auth: { identity_endpoint: IDENTITY, claim_endpoint: 'mailto:a@example.com' } },
    after: { agent_auth: { identity_endpoint: IDENTITY, claim_endpoint: CLAIM } },
  },
  'claim-endpoint-missing': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'Where users claim registrations, claim_endpoint says where a claim is started.',
    why: 'An agent that registered alone cannot bring in its user otherwise.',
    source: DISCOVERY,
    before: {
      agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] },
    },
    after: {
      agent_auth: {
        identity_endpoint: IDENTITY,
        claim_endpoint: CLAIM,
        identity_types_supported: ['anonymous'],
      },
    },
  },
  'identity-types-missing': {
    severity: 'error',
    holds: 'identity_types_supported says how agents register.',
    why: 'An agent that guesses a type creates what nobody wanted.',
    source: DISCOVERY,
    before: { agent_auth: { identity_endpoint: IDENTITY } },
    after: { agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] } },
  },
  'identity-types-not-strings': {
    severity: 'error',
    holds: 'identity_types_supported is a list of names.',
    why: 'What a type takes stands in a member of its name.',
    source: DISCOVERY,
    before: {
      agent_auth: {
        identity_types_supported: [
          { identity_assertion: { assertion_types_supported: ['verified_email'] } },
        ],
      },
    },
    after: {
      agent_auth: {
        identity_types_supported: ['identity_assertion'],
        identity_assertion: { assertion_types_supported: ['verified_email'] },
      },
    },
  },
  'identity-types-older-name': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'The list of identity types is named identity_types_supported.',
    why: 'supported_identity_types is a word of scanners alone; no published family has it.',
    source: 'the published families, v0.1 to v0.7',
    before: {
      agent_auth: { identity_endpoint: IDENTITY, supported_identity_types: ['anonymous'] },
    },
    after: { agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] } },
  },
  'identity-type-unknown': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'Each identity type is anonymous, identity_assertion or service_auth.',
    why: 'Agents do not know how to register by another.',
    source: DISCOVERY,
    before: { agent_auth: { identity_types_supported: ['anonymous', 'agent_did'] } },
    after: { agent_auth: { identity_types_supported: ['anonymous'] } },
  },
  'no-known-identity-type': {
    severity: 'error',
    holds: 'One of the identity types is one that agents know.',
    why: 'Otherwise no agent can register.',
    source: DISCOVERY,
    before: { agent_auth: { identity_types_supported: ['human_delegated'] } },
    after: { agent_auth: { identity_types_supported: ['service_auth'] } },
  },
  'token-endpoint-missing': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds:
      'Where the JWT-bearer grant or a claim grant is listed, token_endpoint says where it is used. Without them this is a warning: a registration may itself give a credential, as in v0.1.',
    why: 'Agents stop after the registration, without a token.',
    source: 'RFC 8414 §2',
    before: {
      issuer: ISSUER,
      grant_types_supported: [JWT_BEARER],
      agent_auth: { identity_endpoint: IDENTITY },
    },
    after: {
      issuer: ISSUER,
      grant_types_supported: [JWT_BEARER],
      token_endpoint: TOKEN,
      agent_auth: { identity_endpoint: IDENTITY },
    },
  },
  'grants-unfit': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'grant_types_supported has a grant by which a registered agent gets a token.',
    why: 'By the list agents choose how to go on.',
    source: DISCOVERY,
    before: {
      issuer: ISSUER,
      grant_types_supported: ['client_credentials'],
      token_endpoint: TOKEN,
      agent_auth: { identity_endpoint: IDENTITY },
    },
    after: {
      issuer: ISSUER,
      grant_types_supported: ['client_credentials', JWT_BEARER],
      token_endpoint: TOKEN,
      agent_auth: { identity_endpoint: IDENTITY },
    },
  },
  ...OTHER_RECOGNISED_RULES,
} as const satisfies Readonly<Record<Dashed<RuleId>, Rule>>;
