import { JWT_BEARER, server, type Unseen } from './unseen-services.ts';

const site = 'https://site.example';
const at = `${site}/.well-known/oauth-authorization-server`;
const block = (agent_auth: unknown, members: object = {}): { at: string; server: object } => ({
  at,
  server: { issuer: site, agent_auth, ...members },
});

/** Documents made for a scanner, with nothing behind them. */
export const NOTHING_BEHIND: readonly Unseen[] = [
  [
    'a service that trusts no provider yet',
    server('https://skills.example', {
      skill: 'https://skills.example/auth.md',
      identity_types_supported: ['identity_assertion'],
      identity_assertion: {
        assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
      },
      events_endpoint: 'https://skills.example/agent/event/notify',
    }),
    'published_only',
    [],
    /identity_endpoint|URL to register/,
  ],
  [
    'a stub that issues no credential',
    block({
      register_uri: `${site}/api/auth/agent-register`,
      identity_types_supported: ['none'],
      credential_types_supported: ['none'],
    }),
    'published_only',
    [],
    /none/,
  ],
  [
    'documentation as the register URL',
    block({
      register_uri: 'https://docs.site.example/guides/authentication',
      identity_types_supported: ['human_delegated'],
    }),
    'published_only',
    [],
    /documentation to read \(docs\.site\.example\)/,
  ],
  [
    'a register URL that is a template',
    block({
      identity_endpoint: `${site}/{tenant}/agent/identity`,
      identity_types_supported: ['anonymous'],
    }),
    'published_only',
    [],
    /template|\{tenant\}|placeholder/,
  ],
  [
    'methods without a URL',
    block({ methods_supported: ['api_key'], registration_methods: ['dashboard'] }),
    'published_only',
    [],
    /URL to register|register/,
  ],
  [
    'agent_auth: a list',
    block([{ register_uri: `${site}/r` }]),
    'published_only',
    [],
    /object|list/,
  ],
  ['agent_auth: null', block(null), 'not_this_protocol', [], /./],
  [
    'a relative URL on a static site, no place known',
    {
      server: {
        agent_auth: { register_uri: '/agent/auth', identity_types_supported: ['anonymous'] },
      },
    },
    'published_only',
    [],
    /names no host/,
  ],
  [
    'a machine of one’s own in a public document',
    server(site, {
      identity_endpoint: 'http://localhost:3000/agent/identity',
      claim_endpoint: 'http://localhost:3000/agent/identity/claim',
      identity_types_supported: ['anonymous'],
    }),
    'published_only',
    [],
    /localhost|own machine|loopback/,
  ],
  [
    'client registration under the newer name',
    block(
      { identity_endpoint: `${site}/connect/register`, identity_types_supported: ['oauth2'] },
      { token_endpoint: `${site}/token`, registration_endpoint: `${site}/connect/register/` },
    ),
    'client_registration',
    [],
    /registration_endpoint|client/,
  ],
];

const code = { response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] };

/** OAuth, and what only sounds like this. */
export const OTHERS: readonly Unseen[] = [
  [
    'GitHub’s server metadata',
    {
      at: 'https://github.example/.well-known/oauth-authorization-server/login/oauth',
      server: {
        issuer: 'https://github.example/login/oauth',
        authorization_endpoint: 'https://github.example/login/oauth/authorize',
        token_endpoint: 'https://github.example/login/oauth/access_token',
        grant_types_supported: ['authorization_code', 'refresh_token'],
        ...code,
      },
    },
    'plain_oauth',
    [],
    /authorization code/,
  ],
  [
    'Google',
    {
      at: 'https://accounts.google.example/.well-known/openid-configuration',
      server: {
        issuer: 'https://accounts.google.example',
        authorization_endpoint: 'https://accounts.google.example/o/oauth2/v2/auth',
        device_authorization_endpoint: 'https://oauth2.google.example/device/code',
        token_endpoint: 'https://oauth2.google.example/token',
        userinfo_endpoint: 'https://openidconnect.google.example/v1/userinfo',
        jwks_uri: 'https://www.google.example/oauth2/v3/certs',
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        grant_types_supported: [
          'authorization_code',
          'refresh_token',
          'urn:ietf:params:oauth:grant-type:device_code',
          JWT_BEARER,
        ],
        ...code,
      },
    },
    'plain_oauth',
    [],
    /device/,
  ],
  [
    'the server of an MCP server',
    {
      at: 'https://mcp.example/.well-known/oauth-authorization-server',
      server: {
        issuer: 'https://mcp.example',
        authorization_endpoint: 'https://mcp.example/authorize',
        token_endpoint: 'https://mcp.example/token',
        registration_endpoint: 'https://mcp.example/register',
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        ...code,
      },
      resource: {
        resource: 'https://mcp.example/mcp',
        authorization_servers: ['https://mcp.example'],
      },
    },
    'plain_oauth',
    [],
    /client registration/,
  ],
  [
    'assertions of an enterprise alone',
    {
      at: 'https://auth.todo.example/.well-known/oauth-authorization-server',
      server: {
        issuer: 'https://auth.todo.example',
        token_endpoint: 'https://auth.todo.example/token',
        grant_types_supported: [JWT_BEARER],
        authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      },
    },
    'plain_oauth',
    [],
    /ID-JAG/,
  ],
  [
    'a provider of assertions',
    {
      at: 'https://idp.example/.well-known/oauth-authorization-server',
      server: {
        issuer: 'https://idp.example',
        token_endpoint: 'https://idp.example/token',
        jwks_uri: 'https://idp.example/jwks',
        grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
        identity_chaining_requested_token_types_supported: [
          'urn:ietf:params:oauth:token-type:id-jag',
        ],
      },
    },
    'plain_oauth',
    [],
    /token exchange|ID-JAG/,
  ],
  [
    'Better Auth’s agent-configuration',
    {
      at: 'https://app.example/.well-known/agent-configuration',
      server: {
        version: '1.0-draft',
        provider_name: 'Acme',
        description: 'Acme for agents',
        issuer: 'https://app.example',
        algorithms: ['Ed25519'],
        modes: ['delegated', 'autonomous'],
        approval_methods: ['device_authorization', 'ciba'],
        endpoints: {
          register: '/api/auth/agent/register',
          execute: '/api/auth/capability/execute',
        },
      },
    },
    'not_this_protocol',
    [],
    /the agent-configuration of the Agent Auth Protocol/,
  ],
  [
    'an agent card',
    {
      at: 'https://a2a.example/.well-known/agent-card.json',
      server: { name: 'Acme', url: 'https://a2a.example/a2a', skills: [{ id: 'x' }], version: '1' },
    },
    'not_this_protocol',
    [],
    /agent card/,
  ],
  [
    'an HTML page',
    { at, server: '<!doctype html><title>Site</title>' },
    'not_this_protocol',
    [],
    /is a text/,
  ],
  ['an empty object', { at, server: {} }, 'not_this_protocol', [], /./],
  ['a list', { at, server: [] }, 'not_this_protocol', [], /is a list/],
  ['nothing at all', {}, 'not_this_protocol', [], /./],
  [
    'a skill file without a word of this, beside nothing',
    { skill: '# Acme\nProvision at https://api.media.example/v1_1/provisioning/agents.' },
    'published_only',
    [],
    /Only a skill file is published/,
  ],
];
