import { CODE_FORMATS } from '../../../src/mock-service/config/code-format.ts';
import { IDENTITY_TYPES } from '../../../src/protocol/index.ts';
import { SHOWN_NAME } from '../../../src/protocol/shown-name.ts';
import { PROVIDER } from '../../mock-service/harness.ts';
import type { Probed } from '../probed.ts';
import { none, type ServiceRow } from '../row.ts';

const metadata = (mock: Probed) => mock.json('/.well-known/oauth-authorization-server');

async function agentAuth(mock: Probed): Promise<Record<string, unknown>> {
  return (await metadata(mock))['agent_auth'] as Record<string, unknown>;
}

/** The status of a registration, or what was wrong with it. */
async function registered(mock: Probed, claims: Readonly<Record<string, unknown>> = {}) {
  const answer = await mock.registerByIdJag(claims);
  return answer['error'] ?? 'registered';
}

const URL = 'a URL, https or on this machine, like https://provider.example';
const TRUST = { issuer: PROVIDER };

export const serviceRows: readonly ServiceRow[] = [
  {
    of: 'service',
    flag: ['--trust', PROVIDER],
    config: `trust: [${PROVIDER}]`,
    library: { trust: [TRUST] },
    probe: registered,
    seen: 'registered',
    bad: [
      {
        value: 'provider.test',
        flag: 'usual',
        config: [
          'trust: [provider.test]',
          `1:9  trust.0.issuer: expected ${URL}, not "provider.test"`,
        ],
        library: [
          { trust: [{ issuer: 'provider.test' }] },
          'trust.issuer cannot be "provider.test". Use a full URL.',
        ],
      },
    ],
  },
  {
    of: 'service',
    flag: none('a trusted issuer with more than its URL is an object'),
    config: `trust:\n  - issuer: ${PROVIDER}\n    client_ids: [https://client.example]`,
    library: { trust: [{ ...TRUST, clientIds: ['https://client.example'] }] },
    probe: (mock) => registered(mock, { client_id: 'https://client.example' }),
    seen: 'registered',
    bad: [
      {
        value: 'keys',
        config: [
          `trust:\n  - issuer: ${PROVIDER}\n    jwks_uri: keys`,
          `3:15  trust.0.jwks_uri: expected ${URL}, not "keys"`,
        ],
        library: [
          { trust: [{ ...TRUST, jwksUri: 'keys' }] },
          'trust.jwksUri cannot be "keys". Use a full URL.',
        ],
      },
    ],
  },
  {
    of: 'service',
    flag: ['--vendor', 'acme'],
    config: 'vendor: acme',
    library: { vendor: 'acme' },
    probe: async (mock) => (await metadata(mock))['grant_types_supported'],
    seen: ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'urn:acme:agent-auth:grant-type:claim'],
    bad: [
      {
        value: 'a%b',
        flag: 'usual',
        config: ['vendor: a%b', '1:9  vendor.0: expected letters, digits and dashes, not "a%b"'],
        library: 'Use letters, digits and dashes, for example "vendor".',
      },
      {
        value: '[]',
        config: ['vendor: []', '1:9  vendor: expected a list of at least one, not []'],
        library: [
          { vendor: [] },
          'vendor cannot be []. Use letters, digits and dashes, for example "vendor".',
        ],
      },
    ],
  },
  {
    of: 'service',
    flag: ['--type', 'anonymous', '--type', 'service_auth'],
    config: 'types: [anonymous, service_auth]',
    library: { identityTypes: ['anonymous', 'service_auth'] },
    probe: async (mock) => (await agentAuth(mock))['identity_types_supported'],
    seen: ['anonymous', 'service_auth'],
    bad: [
      // What a caller without types may give.
      { value: 'nobody', flag: 'usual', library: `Use ${IDENTITY_TYPES.join(', ')}.` },
      {
        value: '[]',
        config: ['types: []', '1:8  types: expected a list of at least one, not []'],
        library: [
          { identityTypes: [] },
          `identityTypes cannot be []. Use ${IDENTITY_TYPES.join(', ')}.`,
        ],
      },
    ],
  },
  {
    of: 'service',
    flag: ['--rate-limit'],
    config: 'rate_limit: true',
    library: { rateLimit: true },
    probe: async (mock) => {
      const answers = [];
      for (let count = 0; count < 40; count += 1) {
        answers.push(await mock.post('/agent/identity', { type: 'anonymous' }));
      }
      return answers.at(-1)?.['error'];
    },
    seen: 'rate_limited',
  },
  {
    of: 'service',
    flag: ['--service-name', 'Acme API'],
    config: 'service_name: Acme API',
    library: { name: 'Acme API' },
    probe: async (mock) => (await metadata(mock))['resource_name'],
    seen: 'Acme API',
    bad: [
      { value: ' ', flag: 'usual', config: SHOWN_NAME, library: `Use ${SHOWN_NAME}.` },
      {
        value: 'é'.repeat(59),
        flag: [['--service-name', 'é'.repeat(300)], `Invalid --service-name '${'é'.repeat(59)}…'.`],
      },
      {
        value: 'two lines',
        config: [
          'service_name: "two\\nlines"',
          `1:15  service_name: expected ${SHOWN_NAME}, not "two lines"`,
        ],
      },
    ],
  },
  {
    of: 'service',
    flag: ['--event-base', 'https://schemas.acme.example'],
    config: 'event_base: https://schemas.acme.example',
    library: { eventBase: 'https://schemas.acme.example' },
    probe: async (mock) => (await agentAuth(mock))['events_supported'],
    seen: ['https://schemas.acme.example/events/agent/auth/identity/assertion/revoked'],
    bad: [{ value: 'events', flag: 'usual', config: URL, library: 'Use a full URL.' }],
  },
  {
    of: 'service',
    flag: ['--accept-resource-audience', '--trust', PROVIDER],
    config: `accept_resource_audience: true\ntrust: [${PROVIDER}]`,
    library: { acceptResourceAudience: true, trust: [TRUST] },
    probe: (mock) => registered(mock, { aud: `${mock.issuer}/api/resource` }),
    seen: 'registered',
  },
  {
    of: 'service',
    flag: none('a user has several members, of which the command line could tell one'),
    config: `users:\n  - { email: alice@example.com }\ntrust: [${PROVIDER}]`,
    library: { users: [{ email: 'alice@example.com' }], trust: [TRUST] },
    // An account that is there already is linked with its user's consent alone.
    probe: registered,
    seen: 'interaction_required',
    bad: [
      {
        value: 'alice',
        config: [
          'users: [{ email: alice }]',
          '1:18  users.0.email: expected an email address, not "alice"',
        ],
        library: [
          { users: [{ email: 'alice' }] },
          'users.email cannot be "alice". Use an email address.',
        ],
      },
      {
        value: '555',
        config: [
          'users: [{ email: a@b.example, phone: "555" }]',
          '1:38  users.0.phone: expected a phone number like +15551234567, not "555"',
        ],
        library: [
          { users: [{ email: 'a@b.example', phone: '555' }] },
          'users.phone cannot be "555". Use a number like +15551234567.',
        ],
      },
    ],
  },
  {
    of: 'service',
    flag: ['--code-format', 'letters:8'],
    config: 'code_format: letters:8',
    library: { codeFormat: 'letters:8' },
    probe: async (mock) => {
      const { claim } = await mock.post('/agent/identity', {
        type: 'service_auth',
        login_hint: 'alice@example.com',
      });
      const code = String((claim as Record<string, unknown>)['user_code']);
      return code.replaceAll(/[A-Z]/g, 'L').replaceAll('-', '');
    },
    seen: 'LLLLLLLL',
    bad: [
      { value: 'digits:2', flag: 'usual', config: CODE_FORMATS, library: `Use ${CODE_FORMATS}.` },
    ],
  },
];
