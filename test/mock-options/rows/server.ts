import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Jwk } from '../../../src/protocol/index.ts';
import { freePair } from '../../support/free-port.ts';
import type { Probed } from '../probed.ts';
import { none, type ProviderRow, type Row, type ServiceRow } from '../row.ts';

const TOKEN = 'a-token-that-nobody-guesses';
const LISTENS = 'the library listens nowhere: its mock is a function of requests';

/** What both mocks have, seen at each of them. */
function both(row: Omit<ServiceRow, 'of'> & Omit<ProviderRow, 'of'>): readonly Row[] {
  return [
    { ...row, of: 'service' },
    { ...row, of: 'provider' },
  ];
}

async function firstKey(mock: Probed): Promise<Record<string, unknown>> {
  const { keys } = await mock.json('/.well-known/jwks.json');
  return (keys as readonly Record<string, unknown>[])[0] ?? {};
}

const signingKey = {
  ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  kid: 'acme-1',
  alg: 'EdDSA',
} as Jwk;

async function issuer(mock: Probed): Promise<unknown> {
  return (await mock.json('/.well-known/oauth-authorization-server'))['issuer'];
}

/** Of a page that is opened once the mock is ready. */
async function opened(mock: Probed): Promise<readonly string[]> {
  await mock.status('/');
  return mock.opened.map((url) => new URL(url).pathname);
}

const PORT = 'a port, a number from 0 to 65535';
const ORIGIN = 'a URL without a path, like http://127.0.0.1:4800';
const DATABASE = 'the path of a file, or postgres://user@host/name';

const port = await freePair();
const folder = mkdtempSync(join(tmpdir(), 'agent-auth-rows-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const database = join(folder, 'mock.db');

const portRow: Omit<ServiceRow, 'of'> & Omit<ProviderRow, 'of'> = {
  flag: ['--port', String(port)],
  config: `port: ${port}`,
  library: none(LISTENS),
  probe: async (mock) => Number(new URL(mock.origin).port),
  seen: port,
  bad: [{ value: '99999', flag: 'usual', config: PORT }],
};

const openRow: Omit<ServiceRow, 'of'> & Omit<ProviderRow, 'of'> = {
  flag: ['--open'],
  config: 'open: true',
  library: none('the page is opened for whoever sits at the terminal'),
  probe: opened,
  seen: ['/__live'],
};

export const serverRows: readonly Row[] = [
  { ...portRow, of: 'service' },
  // With `mock up` the provider has the port after it.
  { ...portRow, of: 'provider', commands: ['provider'] },
  {
    ...portRow,
    of: 'provider',
    commands: ['up'],
    flag: ['--provider-port', String(port)],
    config: `provider_port: ${port}`,
    bad: [{ value: '99999', flag: 'usual', config: PORT }],
  },
  ...both({
    flag: ['--host', 'localhost'],
    config: 'host: localhost',
    library: none(LISTENS),
    probe: async (mock) => new URL(mock.origin).hostname,
    seen: 'localhost',
    bad: [
      {
        value: '0.0.0.0',
        flag: [
          ['--host', '0.0.0.0'],
          '--host 0.0.0.0 can be reached by other machines, and sign-in asks for no password.',
        ],
      },
      { value: 'http://127.0.0.1', flag: 'usual' },
      {
        value: '127.0.0.1:80',
        config: 'a host name or an IP address, without a scheme or a port',
      },
    ],
  }),
  ...both({
    // A spelling of 127.0.0.1 that is not known to be one.
    flag: ['--allow-remote-passwordless-sign-in', '--host', '127.1'],
    without: { flag: ['--host', '127.1'] },
    config: 'allow_remote_passwordless_sign_in: true\nhost: "127.1"',
    library: none(LISTENS),
    probe: (mock) => mock.status('/.well-known/jwks.json'),
    seen: 200,
  }),
  {
    of: 'service',
    flag: ['--base-url', 'https://mock.example'],
    config: 'base_url: https://mock.example',
    library: { baseUrl: 'https://mock.example' },
    probe: issuer,
    seen: 'https://mock.example',
    bad: ['http://127.0.0.1/x', 'ftp://mock.example'].map((value) => ({
      value,
      flag: 'usual',
      config: ORIGIN,
      library: 'Use an origin, for example http://127.0.0.1:4800.',
    })),
  },
  {
    of: 'provider',
    commands: ['provider'],
    flag: ['--base-url', 'https://mock.example'],
    config: 'base_url: https://mock.example',
    library: { baseUrl: 'https://mock.example' },
    probe: issuer,
    seen: 'https://mock.example',
    bad: [
      {
        value: 'http://127.0.0.1/x',
        flag: 'usual',
        config: ORIGIN,
        library: 'Use an origin, for example http://127.0.0.1:4801.',
      },
    ],
  },
  {
    of: 'provider',
    commands: ['up'],
    flag: ['--provider-base-url', 'https://mock.example'],
    config: 'provider_base_url: https://mock.example',
    library: none('baseUrl of createMockProvider: there, each mock has options of its own'),
    probe: issuer,
    seen: 'https://mock.example',
    bad: [
      { value: 'mock.example', flag: 'usual', config: ORIGIN },
      {
        value: 'https://mock.example',
        flag: [
          ['--provider-base-url', 'https://mock.example', '--base-url', 'https://mock.example/'],
          '--provider-base-url cannot be https://mock.example, which is --base-url.',
        ],
      },
    ],
  },
  ...both({
    flag: ['--db', database],
    config: `db: ${database}`,
    library: none('it takes an open database, and closes none'),
    probe: async () => {
      const isThere = existsSync(database);
      rmSync(database, { force: true });
      return isThere;
    },
    seen: true,
    bad: [
      { value: '', config: DATABASE },
      { value: 'mysql://127.0.0.1/mock', flag: 'usual', config: DATABASE },
    ],
  }),
  {
    of: 'service',
    flag: ['--lifetime', 'userCode=30s'],
    config: 'lifetimes: { userCode: 30s }',
    library: { lifetimes: { userCode: 30_000 } },
    probe: async (mock) => {
      const { claim } = await mock.post('/agent/identity', {
        type: 'service_auth',
        login_hint: 'alice@example.com',
      });
      return (claim as Record<string, unknown>)['expires_in'];
    },
    seen: 30,
    bad: [
      {
        value: 'soon',
        flag: [['--lifetime', 'userCode=soon'], '--lifetime userCode cannot be "soon".'],
      },
      { value: 'nap=1s', flag: 'usual' },
      {
        value: '-1',
        library: [
          { lifetimes: { userCode: -1 } },
          'lifetimes.userCode cannot be -1. Use whole milliseconds, up to 50 years.',
        ],
      },
    ],
  },
  {
    of: 'provider',
    flag: ['--lifetime', 'deviceCode=30s'],
    config: 'lifetimes: { deviceCode: 30s }',
    library: { lifetimes: { deviceCode: 30_000 } },
    probe: async (mock) =>
      (
        await mock.form('/oauth2/device_authorization', {
          client_id: 'agent-auth',
          scope: 'openid email',
        })
      )['expires_in'],
    seen: 30,
    bad: [
      { value: 'nap=1s', flag: 'usual' },
      {
        value: '-1',
        library: [
          { lifetimes: { deviceCode: -1 } },
          'lifetimes.deviceCode cannot be -1. Use whole milliseconds, up to 50 years.',
        ],
      },
    ],
  },
  ...both({
    flag: ['--fault', 'unavailable'],
    config: 'faults: [unavailable]',
    library: { faults: ['unavailable'] },
    probe: (mock) => mock.status('/.well-known/oauth-authorization-server'),
    seen: 503,
    bad: [
      {
        value: 'unavailablee',
        flag: 'usual',
        library: [
          { faults: ['unavailablee'] },
          'There is no fault "unavailablee". Did you mean "unavailable"? "agent-auth mock fault --list" lists the faults.',
        ],
      },
    ],
  }),
  ...both({
    flag: ['--no-control'],
    config: 'control: false',
    library: none('there the controls are closed until `control` gives a token: the next row'),
    probe: (mock) => mock.status('/__mock'),
    seen: 404,
  }),
  ...both({
    flag: ['--allow-remote-control'],
    config: 'allow_remote_control: true',
    library: none('there it is a member of `control`: test/mock-service/controls.test.ts'),
    probe: (mock) => mock.statusFromElsewhere('/__mock'),
    seen: 200,
  }),
  ...both({
    flag: ['--no-live'],
    config: 'live: false',
    library: none('there is none: the program serves it around its mocks'),
    probe: (mock) => mock.status('/__live/events'),
    seen: 404,
  }),
  ...both({
    flag: none('a command makes a token for each run, which is in no argument'),
    config: none('a command makes a token for each run, which is in no file but its own note'),
    library: { control: { token: TOKEN } },
    probe: (mock) => mock.status('/__mock', { headers: { authorization: `Bearer ${TOKEN}` } }),
    seen: 200,
    // A token that is too short, which no message repeats: test/mock-service/controls.test.ts.
  }),
  ...both({
    flag: ['--algorithm', 'EdDSA'],
    config: 'algorithm: EdDSA',
    library: { algorithm: 'EdDSA' },
    probe: async (mock) => (await firstKey(mock))['alg'],
    seen: 'EdDSA',
    bad: [{ value: 'HS256', flag: 'usual' }],
  }),
  ...both({
    flag: none('a private key belongs into no argument; --db keeps the key of a mock'),
    config: none('a private key belongs into no such file; db keeps the key of a mock'),
    library: { keys: [signingKey] },
    probe: async (mock) => (await firstKey(mock))['x'],
    seen: signingKey['x'],
  }),
  { ...openRow, of: 'service' },
  { ...openRow, of: 'provider', commands: ['provider'] },
];
