import { CLAIM, JWT_BEARER, server, type Unseen } from './unseen-services.ts';

const site = 'https://odd.example';
const good = {
  identity_endpoint: `${site}/agent/identity`,
  claim_endpoint: `${site}/agent/identity/claim`,
  identity_types_supported: ['anonymous', 'service_auth'],
};

/** Real services in unusual spellings. */
export const SHAPES: readonly Unseen[] = [
  [
    'strings where lists belong',
    server(
      site,
      { ...good, identity_types_supported: 'anonymous service_auth' },
      { grant_types_supported: `${JWT_BEARER} ${CLAIM}` },
    ),
    'usable',
    ['flat', 'nested'],
    /^Agents can register: .*claim grant/,
  ],
  [
    'relative URLs, where the place is known',
    server(site, {
      ...good,
      identity_endpoint: '/agent/identity',
      claim_endpoint: '/agent/identity/claim',
    }),
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'a template in the claim URL alone',
    server(
      site,
      { ...good, claim_endpoint: `${site}/agents/{registration_id}/claim` },
      { grant_types_supported: [JWT_BEARER] },
    ),
    'usable',
    ['nested', 'flat'],
    /nothing to poll: the agent hands in/,
  ],
  [
    'plain http in public',
    {
      at: `${site}/.well-known/oauth-authorization-server`,
      server: {
        issuer: site,
        token_endpoint: `${site}/oauth2/token`,
        agent_auth: { ...good, identity_endpoint: 'http://odd.example/agent/identity' },
      },
    },
    'published_only',
    [],
    /is of plain http/,
  ],
  [
    'a service on the machine where it is tried',
    server('http://127.0.0.1:4000', {
      identity_endpoint: 'http://127.0.0.1:4000/agent/identity',
      claim_endpoint: 'http://127.0.0.1:4000/agent/identity/claim',
      identity_types_supported: ['anonymous'],
    }),
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'the members of the block at the top level',
    {
      at: `${site}/.well-known/oauth-authorization-server`,
      server: {
        issuer: site,
        token_endpoint: `${site}/oauth2/token`,
        grant_types_supported: [JWT_BEARER, CLAIM],
        ...good,
      },
    },
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'the block of a side branch beside client registration',
    server(
      site,
      {
        registration_endpoint: `${site}/agent/register`,
        claim_endpoint: `${site}/agent/register/claim`,
        identity_types_supported: ['anonymous', 'service_auth'],
      },
      { registration_endpoint: `${site}/oauth2/register` },
    ),
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'both names for one URL, but for a final slash',
    server(site, { ...good, register_uri: `${site}/agent/identity/` }),
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'objects as types, each with a name',
    server(site, {
      ...good,
      identity_types_supported: [{ type: 'anonymous' }, { type: 'service_auth' }],
    }),
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'escape sequences in a name',
    server(site, { ...good, client_name: '\u001b[31mred' }, { name: '\u001b]0;x\u0007' }),
    'usable',
    ['flat', 'nested'],
    /claim grant/,
  ],
  [
    'a URL with a user and a password',
    server(site, { ...good, identity_endpoint: 'https://u:p@odd.example/agent/identity' }),
    'published_only',
    [],
    /a user name or a password/,
  ],
];
