import { CORS_ORIGINS } from '../../../src/protocol/cors-origin.ts';
import { PROVIDER } from '../../mock-service/harness.ts';
import type { Row } from '../row.ts';

const ALICE = 'alice@example.com';

export const policyRows: readonly Row[] = [
  {
    of: 'service',
    flag: ['--link-existing', 'silent', '--trust', PROVIDER],
    config: `link_existing: silent\ntrust: [${PROVIDER}]`,
    library: { linkExisting: 'silent', trust: [{ issuer: PROVIDER }] },
    // Alice has an account by then, of which the provider does not know.
    probe: async (mock) => {
      await mock.user().openSignedIn(`${mock.issuer}/connections`, ALICE);
      return (await mock.registerByIdJag())['error'] ?? 'registered';
    },
    seen: 'registered',
    bad: [{ value: 'maybe', flag: 'usual', library: 'Use ask or silent.' }],
  },
  ...(['service', 'provider'] as const).map(
    (of): Row => ({
      of,
      flag: ['--cors', 'https://site.example'],
      config: 'cors: [https://site.example]',
      library: { cors: ['https://site.example'] },
      probe: async (mock) => {
        const { headers } = await mock.fetch('/.well-known/jwks.json', {
          headers: { origin: 'https://site.example' },
        });
        return headers.get('access-control-allow-origin');
      },
      seen: 'https://site.example',
      bad: ['site.example/x', 'ftp://site.example'].map((value) => ({
        value,
        flag: 'usual',
        config: CORS_ORIGINS,
        library: [{ cors: [value] }, `cors: "${value}" is not an origin. Use ${CORS_ORIGINS}.`],
      })),
    }),
  ),
  ...(['service', 'provider'] as const).map(
    (of): Row => ({
      of,
      flag: ['--allow-host', 'mock.internal'],
      config: 'allow_hosts: [mock.internal]',
      library: { allowedHosts: ['mock.internal'] },
      probe: (mock) => mock.statusAtHost('mock.internal', '/.well-known/jwks.json'),
      seen: 200,
      bad: [
        {
          value: 'a b',
          flag: 'usual',
          config: 'a host, or a host with its port, like mock.internal:8080',
          library: [
            { allowedHosts: ['a b'] },
            'allowedHosts: "a b" is not a host. Use HOST or HOST:PORT, for example mock.internal:8080.',
          ],
        },
      ],
    }),
  ),
];
