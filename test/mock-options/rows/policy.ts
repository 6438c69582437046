import { CORS_ORIGINS } from '../../../src/protocol/cors-origin.ts';
import { PROVIDER } from '../../mock-service/harness.ts';
import type { Row } from '../row.ts';

const ALICE = 'alice@example.com';
const CORS_BAD = "Invalid --cors 'site.example/x'.";

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
    bad: [
      {
        value: 'maybe',
        flag: [['--link-existing', 'maybe'], "Invalid --link-existing 'maybe'."],
        config: [
          'link_existing: maybe',
          '1:16  link_existing: there is no mode "maybe"; known: ask, silent',
        ],
        library: [
          { linkExisting: 'maybe' as 'ask' },
          'linkExisting cannot be "maybe". Use ask or silent.',
        ],
      },
    ],
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
      bad: [
        {
          value: 'site.example/x',
          flag: [['--cors', 'site.example/x'], CORS_BAD],
          config: [
            'cors: [site.example/x]',
            `1:8  cors.0: expected ${CORS_ORIGINS}, not "site.example/x"`,
          ],
          library: [
            { cors: ['site.example/x'] },
            `cors: "site.example/x" is not an origin. Use ${CORS_ORIGINS}.`,
          ],
        },
        {
          value: 'ftp://site.example',
          flag: [['--cors', 'ftp://site.example'], "Invalid --cors 'ftp://site.example'."],
          config: [
            'cors: [ftp://site.example]',
            `1:8  cors.0: expected ${CORS_ORIGINS}, not "ftp://site.example"`,
          ],
          library: [
            { cors: ['ftp://site.example'] },
            `cors: "ftp://site.example" is not an origin. Use ${CORS_ORIGINS}.`,
          ],
        },
      ],
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
          flag: [['--allow-host', 'a b'], "Invalid --allow-host 'a b'."],
          config: [
            'allow_hosts: [a b]',
            '1:15  allow_hosts.0: expected a host, or a host with its port, like mock.internal:8080, not "a b"',
          ],
          library: [
            { allowedHosts: ['a b'] },
            'allowedHosts: "a b" is not a host. Use HOST or HOST:PORT, for example mock.internal:8080.',
          ],
        },
      ],
    }),
  ),
];
