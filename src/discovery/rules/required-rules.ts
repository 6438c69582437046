import { CLAIM, CLAIM_GRANT, IDENTITY, ISSUER, JWT_BEARER, TOKEN } from './example-urls.ts';
import type { Rule } from './rule.ts';

const DISCOVERY = 'specification, Discovery metadata';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const EVENT = 'https://schemas.example.com/events/agent/auth/identity/assertion/revoked';
const EVENTS = `${ISSUER}/agent/event/notify`;

const SERVER = {
  issuer: ISSUER,
  token_endpoint: TOKEN,
  grant_types_supported: [JWT_BEARER],
  agent_auth: { identity_endpoint: IDENTITY, identity_types_supported: ['anonymous'] },
};
const TAKES_ID_JAGS = {
  identity_endpoint: IDENTITY,
  claim_endpoint: CLAIM,
  identity_types_supported: ['identity_assertion'],
  identity_assertion: { assertion_types_supported: [ID_JAG] },
};
const RESOURCE = {
  resource: ISSUER,
  authorization_servers: [ISSUER],
  scopes_supported: ['api.read'],
  bearer_methods_supported: ['header'],
};

/** What the conformance suite requires of documents, too. */
export const REQUIRED_RULES = {
  'revocation-endpoint-missing': {
    document: 'server',
    severity: 'error',
    holds: 'revocation_endpoint says where tokens are revoked. Not asked of v0.1.',
    why: 'An agent that leaves hands its token back there.',
    source: DISCOVERY,
    before: SERVER,
    after: { ...SERVER, revocation_endpoint: `${ISSUER}/oauth2/revoke` },
  },
  'claim-grant-missing': {
    document: 'server',
    severity: 'error',
    holds:
      'Where claim_endpoint is named, grant_types_supported has the grant that collects a claim. Not asked where agents hand in the code, nor of v0.1.',
    why: 'Agents have nothing to poll with while their user completes the claim.',
    source: DISCOVERY,
    before: {
      ...SERVER,
      agent_auth: { ...SERVER.agent_auth, claim_endpoint: CLAIM, claim_grant_type: CLAIM_GRANT },
    },
    after: {
      ...SERVER,
      grant_types_supported: [JWT_BEARER, CLAIM_GRANT],
      agent_auth: { ...SERVER.agent_auth, claim_endpoint: CLAIM },
    },
  },
  'events-endpoint-missing': {
    document: 'block',
    severity: 'error',
    holds: 'Where identity_assertion is listed, events_endpoint takes events. Not asked of v0.1.',
    why: 'A provider reports there that its user has taken back what an ID-JAG was good for.',
    source: DISCOVERY,
    before: { agent_auth: TAKES_ID_JAGS },
    after: {
      agent_auth: { ...TAKES_ID_JAGS, events_endpoint: EVENTS, events_supported: [EVENT] },
    },
  },
  'events-missing': {
    document: 'block',
    severity: 'error',
    holds:
      'Where events are taken, events_supported has one that ends in /identity/assertion/revoked. Not asked of v0.1.',
    why: 'Providers send the event that is listed.',
    source: DISCOVERY,
    before: { agent_auth: { ...TAKES_ID_JAGS, events_endpoint: EVENTS } },
    after: {
      agent_auth: { ...TAKES_ID_JAGS, events_endpoint: EVENTS, events_supported: [EVENT] },
    },
  },
  'scopes-missing': {
    document: 'resource',
    severity: 'error',
    holds: 'The metadata of the resource, or of its server, lists the scopes.',
    why: 'Agents ask for the least that they need, and show their user what that is.',
    source: DISCOVERY,
    before: { resource: ISSUER, authorization_servers: [ISSUER] },
    after: RESOURCE,
  },
  'bearer-methods': {
    document: 'resource',
    severity: 'error',
    holds: 'bearer_methods_supported has header, and nothing but header, body and query.',
    why: 'Agents send their token in the Authorization header.',
    source: 'RFC 9728 §2',
    before: { resource: ISSUER, authorization_servers: [ISSUER] },
    after: RESOURCE,
  },
  'signing-algorithm-none': {
    document: 'resource',
    severity: 'error',
    holds: 'none is not listed as an algorithm to sign with.',
    why: 'It signs nothing: anybody could have written what carries it.',
    source: 'RFC 9728 §2',
    before: { ...RESOURCE, resource_signing_alg_values_supported: ['none'] },
    after: RESOURCE,
  },
  'resource-not-https': {
    document: 'resource',
    severity: 'error',
    holds: 'The resource is an https URL, but for a service on this machine.',
    why: 'Agents send their token there, and refuse http.',
    source: 'RFC 9728 §1.2',
    before: { ...RESOURCE, resource: 'http://api.example.com' },
    after: RESOURCE,
  },
  'empty-list': {
    document: 'any',
    severity: 'error',
    holds: 'No list is empty, but response_types_supported and bearer_methods_supported.',
    why: 'What there is none of is left out; a reader takes an empty list for a mistake.',
    source: 'RFC 8414 §3.2, RFC 9728 §3.2',
    sourceInResource: 'RFC 9728 §3.2',
    before: { ...RESOURCE, resource_signing_alg_values_supported: [] },
    after: RESOURCE,
  },
  'url-not-plain': {
    document: 'any',
    severity: 'error',
    holds:
      'URLs that agents act on have no fragment, no user and no password; a resource no query.',
    why: 'A fragment is not sent, a password in a published document is everybody’s, and the place of the metadata has no query.',
    source: 'RFC 9728 §1.2, RFC 6749 §3.2',
    sourceInResource: 'RFC 9728 §1.2',
    before: { issuer: ISSUER, token_endpoint: `${TOKEN}#now` },
    after: { issuer: ISSUER, token_endpoint: TOKEN },
  },
} as const satisfies Readonly<Record<string, Rule>>;
