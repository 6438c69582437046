import type { Probed } from '../probed.ts';
import type { ServiceRow } from '../row.ts';

const NO_SCOPE =
  '"scöpe" is no scope: printable ASCII without spaces, quotes and backslashes (RFC 6749 §3.3).';

/** What a token of an anonymous registration may do. */
async function anonymousScopes(mock: Probed): Promise<unknown> {
  return (await mock.post('/agent/identity', { type: 'anonymous' }))['pre_claim_scopes'];
}

const supported = async (mock: Probed) =>
  (await mock.json('/.well-known/oauth-authorization-server'))['scopes_supported'];

export const resourceRows: readonly ServiceRow[] = [
  {
    of: 'service',
    flag: ['--pre-claim-scopes', 'orders.read', '--post-claim-scopes', 'orders.read,orders.write'],
    config: 'pre_claim_scopes: [orders.read]\npost_claim_scopes: [orders.read, orders.write]',
    library: { scopes: { preClaim: ['orders.read'], postClaim: ['orders.read', 'orders.write'] } },
    probe: anonymousScopes,
    seen: ['orders.read'],
    bad: [
      {
        value: 'scöpe',
        flag: [['--pre-claim-scopes', 'scöpe'], `--pre-claim-scopes: ${NO_SCOPE}`],
        config: 'a scope, without spaces and quotes',
        library: [{ scopes: { preClaim: ['scöpe'] } }, `scopes.preClaim: ${NO_SCOPE}`],
      },
    ],
  },
  {
    of: 'service',
    flag: ['--post-claim-scopes', 'orders.read orders.write'],
    config: 'post_claim_scopes: [orders.read, orders.write]',
    library: { scopes: { postClaim: ['orders.read', 'orders.write'] } },
    probe: supported,
    seen: ['orders.read', 'orders.write'],
    bad: [
      {
        value: 'scöpe',
        flag: [['--post-claim-scopes', 'scöpe'], `--post-claim-scopes: ${NO_SCOPE}`],
        config: 'a scope, without spaces and quotes',
        library: [{ scopes: { postClaim: ['scöpe'] } }, `scopes.postClaim: ${NO_SCOPE}`],
      },
    ],
  },
  {
    of: 'service',
    flag: ['--protect', 'GET /v1/orders=orders.read'],
    config: 'resources: [{ path: /v1/orders, scope: orders.read }]',
    library: { resources: [{ path: '/v1/orders', scope: 'orders.read' }] },
    probe: (mock) => mock.status('/v1/orders'),
    seen: 401,
    bad: [
      {
        value: '/agent/identity',
        flag: [
          ['--protect', 'GET /agent/identity=x'],
          '--protect "GET /agent/identity=x": the mock answers /agent/identity itself.',
        ],
        config: [
          'resources: [{ path: /agent/identity, scope: x }]',
          '1:13  resources.0: GET /agent/identity: the mock answers /agent/identity itself',
        ],
        library: [
          { resources: [{ path: '/agent/identity', scope: 'x' }] },
          'resources: GET /agent/identity: the mock answers /agent/identity itself.',
        ],
      },
    ],
  },
];
