import { CLAIM, CLAIM_GRANT, IDENTITY, ISSUER, JWT_BEARER, SKILL, TOKEN } from './example-urls.ts';
import type { Rule } from './rule.ts';

/** About what stands in documents, beside what recognition finds by itself. */
export const DOCUMENT_RULES = {
  'agent-auth-missing': {
    severity: 'error',
    holds: 'The metadata of the authorization server has an agent_auth block.',
    why: 'By it agents see that they may register, and where.',
    source: 'specification, Discovery metadata',
    before: { issuer: ISSUER, token_endpoint: TOKEN },
    after: {
      issuer: ISSUER,
      token_endpoint: TOKEN,
      agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] },
    },
  },
  'issuer-path-differs': {
    severity: 'error',
    holds: 'The issuer is the one that the place of its metadata is made of.',
    why: 'Agents compare both, as strings, and refuse another: it is how they know that nobody speaks for somebody else.',
    source: 'RFC 8414 §3.3',
    before: `https://example.com/.well-known/oauth-authorization-server\n{"issuer": "https://example.com/shop", …}\nand nothing at /.well-known/oauth-authorization-server/shop`,
    after:
      'https://example.com/.well-known/oauth-authorization-server/shop\n{"issuer": "https://example.com/shop", …}',
  },
  'issuer-not-plain': {
    severity: 'error',
    holds: 'The issuer has neither query nor fragment.',
    why: 'Its metadata could not be found.',
    source: 'RFC 8414 §2',
    before: { issuer: `${ISSUER}?tenant=1` },
    after: { issuer: `${ISSUER}/tenants/1` },
  },
  'response-types-missing': {
    severity: 'error',
    holds: 'response_types_supported is a list, if only an empty one.',
    why: 'It is required of every server; libraries refuse metadata without it.',
    source: 'RFC 8414 §2',
    before: { issuer: ISSUER, token_endpoint: TOKEN },
    after: { issuer: ISSUER, token_endpoint: TOKEN, response_types_supported: [] },
  },
  'resource-missing': {
    severity: 'error',
    holds: 'The metadata of a resource names it.',
    why: 'Agents compare it with the URL that they called.',
    source: 'RFC 9728 §2',
    before: { authorization_servers: [ISSUER] },
    after: { resource: `${ISSUER}/v1`, authorization_servers: [ISSUER] },
  },
  'resource-differs': {
    severity: 'error',
    holds: 'The resource is the one that the place of its metadata is made of.',
    why: 'Agents refuse the metadata of another resource.',
    source: 'RFC 9728 §3.3',
    before: `${ISSUER}/.well-known/oauth-protected-resource/v1\n{"resource": "${ISSUER}/v2", …}`,
    after: `${ISSUER}/.well-known/oauth-protected-resource/v2\n{"resource": "${ISSUER}/v2", …}`,
  },
  'authorization-servers-missing': {
    severity: 'error',
    holds: 'The metadata of a resource names its authorization servers.',
    why: 'Without them agents take the resource itself for one.',
    source: 'RFC 9728 §2',
    before: { resource: ISSUER },
    after: { resource: ISSUER, authorization_servers: [ISSUER] },
  },
  'authorization-server-differs': {
    severity: 'error',
    holds:
      'What a resource names as its authorization server is the issuer of that server, letter for letter.',
    why: 'Agents ask for the metadata of what is named, and refuse that of another issuer.',
    source: 'RFC 8414 §3.3',
    before: {
      resource: ISSUER,
      authorization_servers: ['https://auth.example.com'],
      issuer: 'https://login.example.com',
    },
    after: {
      resource: ISSUER,
      authorization_servers: ['https://login.example.com'],
      issuer: 'https://login.example.com',
    },
  },
  'claim-grant-without-claim-endpoint': {
    severity: 'error',
    holds: 'Where a claim grant is listed, claim_endpoint says where a claim is started.',
    why: 'Agents would poll for a claim that they cannot start.',
    source: 'specification, Discovery metadata',
    before: {
      issuer: ISSUER,
      grant_types_supported: [JWT_BEARER, CLAIM_GRANT],
      agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] },
    },
    after: {
      issuer: ISSUER,
      grant_types_supported: [JWT_BEARER, CLAIM_GRANT],
      agent_auth: {
        identity_endpoint: IDENTITY,
        claim_endpoint: CLAIM,
        identity_types_supported: ['anonymous'],
      },
    },
  },
  'register-url-is-client-registration': {
    severity: 'error',
    holds: 'The URL to register at is not that of OAuth client registration.',
    why: 'That is another protocol (RFC 7591): it makes clients of software, and knows no identity types.',
    source: 'RFC 7591 §3',
    before: {
      agent_auth: {
        register_uri: `${ISSUER}/oauth2/register`,
        identity_types_supported: ['anonymous'],
      },
    },
    after: {
      agent_auth: { register_uri: IDENTITY, identity_types_supported: ['anonymous'] },
    },
  },
  'claim-urls-differ': {
    severity: 'error',
    holds: 'claim_endpoint and claim_uri, where both are given, are the same URL.',
    why: 'They are two names of one thing; which one an agent reads depends on its age.',
    source: 'the published families: claim_uri in v0.1, claim_endpoint since v0.2',
    before: {
      agent_auth: { claim_endpoint: CLAIM, claim_uri: `${ISSUER}/agent/auth/claim` },
    },
    after: { agent_auth: { claim_endpoint: CLAIM, claim_uri: CLAIM } },
  },
  'one-url-for-all': {
    severity: 'error',
    holds: 'A registration and a claim have URLs of their own.',
    why: 'One URL for everything is, in what is published, a page or a placeholder.',
    source: 'specification, Discovery metadata',
    before: {
      agent_auth: { identity_endpoint: `${ISSUER}/contact`, claim_endpoint: `${ISSUER}/contact` },
    },
    after: { agent_auth: { identity_endpoint: IDENTITY, claim_endpoint: CLAIM } },
  },
  'unknown-name': {
    severity: 'warning',
    holds: 'The members of agent_auth have the names that a published family uses.',
    why: 'A member of another name is not read: what it says is lost.',
    source: 'the published families, v0.1 to v0.7',
    before: { agent_auth: { identity_endpoint: IDENTITY, claims_url: CLAIM, skill_uri: SKILL } },
    after: { agent_auth: { identity_endpoint: IDENTITY, claim_endpoint: CLAIM, skill: SKILL } },
  },
  'misplaced-member': {
    severity: 'warning',
    holds: 'The members of agent_auth stand in it, and claim_endpoint directly.',
    why: 'Elsewhere they are not looked for.',
    source: 'specification, Discovery metadata',
    before: {
      agent_auth: { identity_endpoint: IDENTITY, anonymous: { claim_uri: CLAIM } },
      identity_types_supported: ['anonymous'],
    },
    after: {
      agent_auth: {
        identity_endpoint: IDENTITY,
        claim_endpoint: CLAIM,
        identity_types_supported: ['anonymous'],
      },
    },
  },
  'assertion-types-missing': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'Where identity_assertion is listed, so are the assertions that are taken.',
    why: 'An agent that has an ID-JAG, and one that has an email address, need to know whether theirs is.',
    source: 'specification, Discovery metadata',
    before: { agent_auth: { identity_types_supported: ['identity_assertion'] } },
    after: {
      agent_auth: {
        identity_types_supported: ['identity_assertion'],
        identity_assertion: {
          assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        },
      },
    },
  },
  'skill-missing': {
    severity: 'error',
    severityElsewhere: 'warning',
    holds: 'agent_auth names the skill file.',
    why: 'It tells a model what the metadata cannot: what the service is, and what to ask its user.',
    source: 'specification, Discovery metadata',
    before: { agent_auth: { identity_endpoint: IDENTITY } },
    after: { agent_auth: { skill: SKILL, identity_endpoint: IDENTITY } },
  },
  placeholder: {
    severity: 'error',
    holds: 'No URL and no name is left from a template.',
    why: 'Agents take it for the truth.',
    source: 'the published documents',
    before: { agent_auth: { identity_endpoint: 'https://your-domain.example/agent/identity' } },
    after: { agent_auth: { identity_endpoint: IDENTITY } },
  },
  'list-not-strings': {
    severity: 'error',
    holds: 'A member whose name ends in _supported is a list of names.',
    why: 'A reader that expects names refuses the whole document.',
    source: 'RFC 8414 §2',
    before: { issuer: ISSUER, grant_types_supported: JWT_BEARER },
    after: { issuer: ISSUER, grant_types_supported: [JWT_BEARER] },
  },
} as const satisfies Readonly<Record<string, Rule>>;
