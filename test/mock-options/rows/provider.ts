import { CLIENT_ID } from '../../../src/protocol/client-id.ts';
import {
  DEVICE_CODE_GRANT,
  decodeJwt,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../../src/protocol/index.ts';
import { SHOWN_NAME } from '../../../src/protocol/shown-name.ts';
import type { Probed } from '../probed.ts';
import { none, type ProviderRow } from '../row.ts';

const ALICE = 'alice@example.com';
const SERVICE = 'https://api.example.com';

interface Device {
  readonly device_code: string;
  readonly verification_uri: string;
  readonly user_code: string;
}

/** A device sign-in as it is begun. */
async function device(mock: Probed, client = 'agent-auth'): Promise<Record<string, unknown>> {
  return mock.form('/oauth2/device_authorization', { client_id: client, scope: 'openid email' });
}

/** The claims of the ID token of a user who signs in by the pages; `undefined` where there is none. */
async function signIn(mock: Probed, email = ALICE): Promise<{ token: string; claims: object }> {
  const { device_code, verification_uri, user_code } = (await device(mock)) as unknown as Device;
  const user = mock.user();
  const asked = await user.openSignedIn(verification_uri, email);
  const confirm = await user.submit(asked, '/device', { user_code });
  await user.submit(confirm, '/device', { decision: 'approve' });
  const token = String((await poll(mock, device_code))['id_token']);
  return { token, claims: decodeJwt(token)?.payload ?? {} };
}

function poll(mock: Probed, deviceCode: string): Promise<Record<string, unknown>> {
  return mock.form('/oauth2/token', {
    grant_type: DEVICE_CODE_GRANT,
    device_code: deviceCode,
    client_id: 'agent-auth',
  });
}

/** The consent page for a service, or why there is none. */
async function consentPage(mock: Probed, audience = SERVICE): Promise<string> {
  const { token } = await signIn(mock);
  const answer = await mock.form('/oauth2/token', {
    grant_type: TOKEN_EXCHANGE_GRANT,
    client_id: 'agent-auth',
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience,
    subject_token: token,
    subject_token_type: ID_TOKEN_TYPE,
  });
  if (answer['consent_uri'] === undefined) return String(answer['error']);
  const { text } = await mock.user().openSignedIn(String(answer['consent_uri']), ALICE);
  return text;
}

export const providerRows: readonly ProviderRow[] = [
  {
    of: 'provider',
    flag: ['--audience', 'https://other.example'],
    config: 'audiences: [https://other.example]',
    library: { audiences: ['https://other.example'] },
    probe: consentPage,
    seen: 'invalid_target',
    bad: [
      {
        value: 'other.example',
        flag: 'usual',
        config: [
          'audiences: [other.example]',
          '1:13  audiences.0.issuer: expected a URL, https or on this machine, like https://api.example.com, or any, not "other.example"',
        ],
        library: 'Use an https URL without a query.',
      },
      {
        value: 'https://other.example/?x',
        flag: [
          ['--audience', 'https://other.example/?x=1'],
          "Invalid --audience 'https://other.example/?x=***'.",
        ],
      },
    ],
  },
  {
    of: 'provider',
    flag: ['--audience', 'any', '--audience', 'https://other.example'],
    config: 'audiences: [any, https://other.example]',
    library: { audiences: ['any', 'https://other.example'] },
    without: {
      flag: ['--audience', 'https://other.example'],
      library: { audiences: ['https://other.example'] },
    },
    probe: async (mock) => /api\.example\.com/.test(await consentPage(mock)),
    seen: true,
  },
  {
    of: 'provider',
    flag: none('an audience with more than its URL is an object'),
    config: `audiences:\n  - { issuer: ${SERVICE}, name: Acme API, scopes: [acme.read] }`,
    library: { audiences: [{ issuer: SERVICE, name: 'Acme API', scopes: ['acme.read'] }] },
    probe: async (mock) => /Acme API/.test(await consentPage(mock)),
    seen: true,
  },
  {
    of: 'provider',
    flag: ['--auto-approve', ALICE],
    config: `auto_approve: ${ALICE}`,
    library: { autoApprove: ALICE },
    probe: async (mock) => {
      const { device_code } = (await device(mock)) as unknown as Device;
      const { payload } = decodeJwt(String((await poll(mock, device_code))['id_token'])) ?? {};
      return payload?.['email'];
    },
    seen: ALICE,
    bad: [
      {
        value: 'alice',
        flag: 'usual',
        config: 'an email address',
        library: 'Use an email address.',
      },
    ],
  },
  {
    of: 'provider',
    flag: ['--provider-name', 'Acme ID'],
    config: 'provider_name: Acme ID',
    library: { name: 'Acme ID' },
    probe: async (mock) => /<title>.*Acme ID/.test(await mock.text('/login')),
    seen: true,
    bad: [{ value: ' ', flag: 'usual', config: SHOWN_NAME, library: `Use ${SHOWN_NAME}.` }],
  },
  {
    of: 'provider',
    flag: ['--client-id', 'acme-agent'],
    config: 'client_id: acme-agent',
    library: { clientId: 'acme-agent' },
    probe: async (mock) => Object.keys(await device(mock, 'acme-agent')).includes('device_code'),
    seen: true,
    bad: [{ value: 'agênt', flag: 'usual', config: CLIENT_ID, library: `Use ${CLIENT_ID}.` }],
  },
  {
    of: 'provider',
    flag: ['--client-name', 'Acme Agent'],
    config: 'client_name: Acme Agent',
    library: { clientName: 'Acme Agent' },
    probe: async (mock) => (await mock.json('/agent-auth.json'))['client_name'],
    seen: 'Acme Agent',
    bad: [{ value: ' ', flag: 'usual', config: SHOWN_NAME, library: `Use ${SHOWN_NAME}.` }],
  },
  {
    of: 'provider',
    flag: none('a user has several members, of which the command line could tell one'),
    config: `users:\n  - { email: ${ALICE}, name: Alice, email_verified: false }`,
    library: { users: [{ email: ALICE, name: 'Alice', emailVerified: false }] },
    probe: async (mock) => {
      const { claims } = await signIn(mock);
      const { name, email_verified } = claims as Record<string, unknown>;
      return { name, email_verified };
    },
    seen: { name: 'Alice', email_verified: false },
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
    ],
  },
];
