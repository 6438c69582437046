import type { Documents, FamilyId, Verdict } from '../../src/discovery/index.ts';

/** What was published, what a careful reader makes of it, and what the reason has to say. */
export type Unseen = readonly [
  what: string,
  documents: Documents,
  verdict: Verdict,
  families: readonly FamilyId[],
  reason: RegExp,
];

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const CLAIM = 'urn:workos:agent-auth:grant-type:claim';

/** Metadata of an authorization server with a block for agents. */
export const server = (at: string, agent_auth: unknown, members: object = {}): Documents => ({
  at: `${at}/.well-known/oauth-authorization-server`,
  server: {
    issuer: at,
    token_endpoint: `${at}/oauth2/token`,
    revocation_endpoint: `${at}/oauth2/revoke`,
    grant_types_supported: [JWT_BEARER, CLAIM],
    agent_auth,
    ...members,
  },
});

const tuist = 'https://tuist.example';
const space = 'https://pagespace.example';
const voice = 'https://api.hopper.example';
const arts = 'https://api.artifacts.example';
const vid = 'https://api.vid.example';
const modus = 'https://agentmodus.example';

/** Services where an agent really can register. */
export const SERVICES: readonly Unseen[] = [
  [
    'versions 0.1 and 0.6 at once',
    server(tuist, {
      skill: `${tuist}/auth.md`,
      identity_endpoint: `${tuist}/agent/identity`,
      claim_endpoint: `${tuist}/agent/identity/claim`,
      register_uri: `${tuist}/agent/auth`,
      claim_uri: `${tuist}/agent/auth/claim`,
      identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
      anonymous: { credential_types_supported: ['api_key'] },
      identity_assertion: {
        assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag', 'verified_email'],
        credential_types_supported: ['access_token', 'api_key'],
      },
    }),
    'choice',
    ['flat', 'nested', 'first'],
    /different URLs/,
  ],
  [
    'assertions of providers alone',
    server(
      'https://skills.example',
      {
        skill: 'https://skills.example/auth.md',
        identity_endpoint: 'https://skills.example/agent/identity',
        identity_types_supported: ['identity_assertion'],
        identity_assertion: {
          assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        },
      },
      { grant_types_supported: [JWT_BEARER], jwks_uri: 'https://skills.example/jwks' },
    ),
    'usable',
    ['nested', 'flat', 'first'],
    /\(no claim grant: nothing to poll\)/,
  ],
  [
    'proof of work, and grants under names of its own',
    server(
      space,
      {
        skill: `${space}/auth.md`,
        identity_endpoint: `${space}/api/agent/identity`,
        claim_endpoint: `${space}/api/agent/identity/claim`,
        challenge_endpoint: `${space}/api/agent/identity/challenge`,
        claim_grant_type: 'urn:pagespace:agent-auth:grant-type:claim',
        assertion_grant_type: JWT_BEARER,
        identity_types_supported: ['anonymous'],
      },
      {
        grant_types_supported: [
          'authorization_code',
          JWT_BEARER,
          'urn:pagespace:agent-auth:grant-type:claim',
        ],
        authorization_endpoint: `${space}/api/oauth/authorize`,
        registration_endpoint: `${space}/api/oauth/register`,
      },
    ),
    'usable',
    ['flat', 'nested'],
    /claim grant|claim_grant_type/,
  ],
  [
    'an anonymous start, without a list of grants',
    server(
      voice,
      {
        skill: 'https://withhopper.example/auth.md',
        identity_endpoint: `${voice}/agent/identity`,
        claim_endpoint: `${voice}/agent/identity/claim`,
        identity_types_supported: ['anonymous'],
      },
      { grant_types_supported: undefined },
    ),
    'usable',
    ['flat', 'nested'],
    /looks like flat;/,
  ],
  [
    'the block in the metadata of the resource as well',
    {
      at: `${arts}/.well-known/oauth-authorization-server`,
      server: {
        issuer: arts,
        token_endpoint: `${arts}/oauth/token`,
        grant_types_supported: [
          JWT_BEARER,
          'urn:agent-artifacts:params:oauth:grant-type:claim_token',
        ],
      },
      resource: {
        resource: arts,
        authorization_servers: [arts],
        agent_auth: {
          skill: 'https://artifacts.example/auth.md',
          identity_endpoint: `${arts}/agent/identity`,
          claim_endpoint: `${arts}/agent/identity/claim`,
          identity_types_supported: ['anonymous', 'service_auth'],
        },
      },
    },
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'the block in the metadata of the resource alone',
    {
      at: 'https://gecko.example/.well-known/oauth-protected-resource',
      resource: {
        resource: 'https://gecko.example/mcp',
        bearer_methods_supported: ['header'],
        agent_auth: {
          identity_endpoint: 'https://gecko.example/agent/identity',
          identity_types_supported: ['anonymous'],
          claim_endpoint: 'https://gecko.example/agent/identity/claim',
        },
      },
    },
    'usable',
    ['flat', 'nested'],
    /looks like flat;/,
  ],
  [
    'endpoints of its own at an issuer with a path',
    {
      at: 'https://forms.example/a/acme/.well-known/oauth-authorization-server',
      server: {
        issuer: 'https://forms.example/a/acme',
        token_endpoint: 'https://forms.example/a/acme/token',
        introspection_endpoint: 'https://forms.example/a/acme/introspect',
        grant_types_supported: ['urn:auth.md:user_claimed'],
        agent_auth: {
          skill: 'Register with your e-mail address, then read the code back',
          register_uri: 'https://forms.example/a/acme/register',
          complete_uri: 'https://forms.example/a/acme/complete',
          verify_uri: 'https://forms.example/a/acme/verify',
          revocation_uri: 'https://forms.example/a/acme/revoke',
          login_url: 'https://forms.example/a/acme/login',
          identity_types_supported: ['user_claimed'],
          credential_types_supported: ['api_key'],
        },
      },
    },
    'usable',
    ['first', 'nested'],
    /by no identity type.*the name of version 0\.1/,
  ],
  [
    'capabilities, and an issuer with a path on the host of the API',
    {
      at: 'https://api.pg.example/.well-known/oauth-authorization-server/claimable',
      server: {
        issuer: 'https://api.pg.example/claimable',
        token_endpoint: 'https://api.pg.example/claimable/oauth2/token',
        revocation_endpoint: 'https://api.pg.example/claimable/oauth2/revoke',
        grant_types_supported: [JWT_BEARER],
        token_endpoint_auth_methods_supported: ['none'],
        agent_auth: {
          skill: 'https://pg.example/auth.md',
          identity_endpoint: 'https://api.pg.example/claimable/agent/identity',
          identity_types_supported: ['anonymous'],
          capabilities_supported: ['postgres', 'auth', 'data_api'],
        },
      },
    },
    'usable',
    ['nested', 'flat', 'first'],
    /\(no claim grant: nothing to poll\)/,
  ],
  [
    'version 0.1 with the user’s address as a type',
    {
      at: `${vid}/.well-known/oauth-authorization-server`,
      server: {
        issuer: vid,
        agent_auth: {
          skill: 'https://docs.vid.example/auth.md',
          register_uri: `${vid}/agent/auth`,
          claim_uri: `${vid}/agent/auth/claim`,
          identity_types_supported: ['anonymous', 'verified_email'],
          anonymous: { credential_types_supported: ['api_key'] },
          verified_email: { credential_types_supported: ['api_key'] },
        },
      },
    },
    'usable',
    ['first'],
    /as versions before 0\.6 register it/,
  ],
  [
    'a mailed code under the newer name',
    {
      at: `${modus}/.well-known/oauth-authorization-server`,
      server: {
        issuer: modus,
        agent_auth: {
          skill: `${modus}/auth.md`,
          identity_endpoint: `${modus}/agent/auth/register`,
          claim_endpoint: `${modus}/agent/auth/claim`,
          identity_types_supported: ['service_auth'],
          credential_types_supported: ['path_token'],
        },
      },
    },
    'usable',
    ['first', 'flat', 'nested'],
    /token_endpoint \(no exchange/,
  ],
  [
    'a library’s document with a base URL behind a port',
    server('https://billing.example:8443', {
      skill: 'https://billing.example:8443/auth.md',
      identity_endpoint: 'https://billing.example:8443/api/agent/identity',
      claim_endpoint: 'https://billing.example:8443/api/agent/identity/claim',
      identity_types_supported: ['anonymous', 'identity_assertion'],
      identity_assertion: { assertion_types_supported: ['verified_email'] },
    }),
    'usable',
    ['flat', 'first'],
    /claim grant|0\.6/,
  ],
  [
    'a final slash, capitals in a host, and a host in another script',
    server('https://API.Bücher.example/', {
      identity_endpoint: 'HTTPS://api.bücher.example/agent/identity',
      claim_endpoint: 'https://API.xn--bcher-kva.example/agent/identity/claim',
      identity_types_supported: ['anonymous'],
    }),
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
];
