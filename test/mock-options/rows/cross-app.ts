import {
  decodeJwt,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../src/protocol/index.ts';
import { PROVIDER } from '../../mock-service/harness.ts';
import { CodeClient } from '../../support/code-client.ts';
import type { Probed } from '../probed.ts';
import { none, type ProviderRow, type ServiceRow } from '../row.ts';

const APP = { client_id: 'app', client_secret: 'a-test-secret' };
const OTHER = { client_id: 'other', client_secret: 'a-test-secret' };
const SERVICE = 'https://api.example.com';
const A_TABLE = none('it is a table, which stands in a file');
const FOR_FEW = none('a switch for few, which stands in a file');

/** Why an ID-JAG for the client cannot be redeemed, or that it was. */
async function redeem(
  mock: Probed,
  client: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const assertion = await mock.idJag({
    client_id: client['client_id'],
    aud: mock.issuer,
    resource: mock.issuer,
    ...claims,
  });
  const fields = { grant_type: JWT_BEARER_GRANT, assertion, ...client };
  return (await mock.form('/oauth2/token', fields))['error'] ?? 'redeemed';
}

/** What a client gets for the ID token of its user, or why not. */
async function mint(mock: Probed, scope?: string): Promise<Record<string, unknown>> {
  const client = new CodeClient(mock, APP);
  const { id_token: token } = await client.signIn('alice@example.com');
  const answer = await client.token({
    grant_type: TOKEN_EXCHANGE_GRANT,
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience: SERVICE,
    subject_token: String(token),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    ...(scope !== undefined && { scope }),
  });
  return decodeJwt(String(answer['access_token']))?.payload ?? answer;
}

export const redeemingRows: readonly ServiceRow[] = [
  {
    of: 'service',
    flag: ['--client', 'app:a-test-secret', '--trust', PROVIDER],
    config: `clients: [{ id: app, secret: a-test-secret }]\ntrust: [${PROVIDER}]`,
    library: { clients: [{ id: 'app', secret: 'a-test-secret' }], trust: [{ issuer: PROVIDER }] },
    without: { flag: ['--trust', PROVIDER], library: { trust: [{ issuer: PROVIDER }] } },
    probe: async (mock) => [await redeem(mock, APP), await redeem(mock, OTHER)],
    seen: ['redeemed', 'invalid_client'],
    bad: [{ value: 'app', flag: 'usual' }],
  },
  {
    of: 'service',
    flag: ['--allow-public', '--trust', PROVIDER],
    config: `allow_public: true\ntrust: [${PROVIDER}]`,
    library: { allowPublic: true, trust: [{ issuer: PROVIDER }] },
    without: { flag: ['--trust', PROVIDER], library: { trust: [{ issuer: PROVIDER }] } },
    probe: (mock) => redeem(mock, { client_id: 'app' }),
    seen: 'redeemed',
  },
  {
    of: 'service',
    flag: FOR_FEW,
    config: `id_jag_reuse: true\ntrust: [${PROVIDER}]`,
    library: { idJagReuse: true, trust: [{ issuer: PROVIDER }] },
    without: { library: { trust: [{ issuer: PROVIDER }] } },
    probe: async (mock) => [
      await redeem(mock, APP, { jti: 'same' }),
      await redeem(mock, APP, { jti: 'same' }),
    ],
    seen: ['redeemed', 'redeemed'],
  },
  {
    of: 'service',
    flag: FOR_FEW,
    config: `jit_accounts: false\ntrust: [${PROVIDER}]`,
    library: { jitAccounts: false, trust: [{ issuer: PROVIDER }] },
    without: { library: { trust: [{ issuer: PROVIDER }] } },
    probe: (mock) => redeem(mock, APP),
    seen: 'invalid_grant',
  },
  {
    of: 'service',
    flag: A_TABLE,
    config: `claims: [{ of: token_response, claims: { error: changed } }]\ntrust: [${PROVIDER}]`,
    library: {
      claims: [{ of: 'token_response', claims: { error: 'changed' } }],
      trust: [{ issuer: PROVIDER }],
    },
    without: { library: { trust: [{ issuer: PROVIDER }] } },
    probe: (mock) => redeem(mock, APP),
    seen: 'changed',
  },
];

export const mintingRows: readonly ProviderRow[] = [
  {
    of: 'provider',
    flag: ['--client', 'other:a-test-secret'],
    config: 'clients: [{ id: other, secret: a-test-secret }]',
    library: { clients: [{ id: 'other', secret: 'a-test-secret' }] },
    probe: async (mock) => (await new CodeClient(mock, APP).token({ grant_type: 'x' }))['error'],
    seen: 'invalid_client',
  },
  {
    of: 'provider',
    flag: FOR_FEW,
    config: 'agent_auth: false\nclients: [{ id: app, secret: a-test-secret }]',
    library: { agentAuth: false, clients: [{ id: 'app', secret: 'a-test-secret' }] },
    probe: async (mock) =>
      (await mock.form('/oauth2/token', { grant_type: 'x', client_id: 'agent-auth' }))['error'],
    seen: 'invalid_client',
  },
  {
    of: 'provider',
    flag: A_TABLE,
    config: 'policy: [{ client: app, max_age: 0, refuse: access_denied }]',
    library: { policy: [{ client: 'app', maxAge: 0, refuse: 'access_denied' }] },
    probe: async (mock) => (await mint(mock))['error'],
    seen: 'access_denied',
  },
  {
    of: 'provider',
    flag: A_TABLE,
    config: 'claims: [{ of: id_jag, client: app, claims: { client_id: foreign } }]',
    library: { claims: [{ of: 'id_jag', client: 'app', claims: { client_id: 'foreign' } }] },
    probe: async (mock) => (await mint(mock))['client_id'],
    seen: 'foreign',
  },
  {
    of: 'provider',
    flag: A_TABLE,
    config: `client_mapping: [{ client: app, audience: "${SERVICE}", id: app-there }]`,
    library: { clientMapping: [{ client: 'app', audience: SERVICE, id: 'app-there' }] },
    probe: async (mock) => (await mint(mock))['client_id'],
    seen: 'app-there',
  },
  {
    of: 'provider',
    flag: FOR_FEW,
    config: 'refuse_unmapped: true',
    library: { refuseUnmapped: true },
    probe: async (mock) => (await mint(mock))['error'],
    seen: 'unauthorized_client',
  },
  {
    of: 'provider',
    flag: FOR_FEW,
    config: `subject_type: pairwise`,
    library: { subjectType: 'pairwise' },
    probe: async (mock) =>
      (await mock.json('/.well-known/openid-configuration'))['subject_types_supported'],
    seen: ['pairwise'],
  },
  {
    of: 'provider',
    flag: FOR_FEW,
    config: 'tenant: acme',
    library: { tenant: 'acme' },
    probe: async (mock) => (await mint(mock))['tenant'],
    seen: 'acme',
  },
];
