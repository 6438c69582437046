import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalAuthority } from '../../../src/cli/mock/servers/mock-tls.ts';
import { none, type Row } from '../row.ts';

const LISTENS = 'the library listens nowhere: its mock is a function of requests';

const folder = mkdtempSync(join(tmpdir(), 'agent-auth-rows-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const { files } = await createLocalAuthority(['127.0.0.1']);
const cert = join(folder, 'cert.pem');
const key = join(folder, 'key.pem');
writeFileSync(cert, files.cert);
writeFileSync(key, files.key, { mode: 0o600 });
const missing = join(folder, 'missing.pem');

const scheme: Row['probe'] = async ({ origin }) => new URL(origin).protocol;

export const tlsRows: readonly Row[] = (['service', 'provider'] as const).flatMap((of): Row[] => [
  {
    of,
    flag: ['--tls'],
    config: 'tls: true',
    library: none(LISTENS),
    probe: async (mock) => [await scheme(mock), await mock.status('/.well-known/jwks.json')],
    seen: ['https:', 200],
    bad: [
      {
        value: 'http://mock.example',
        flag: [
          ['--tls', '--base-url', 'http://mock.example'],
          '--tls cannot be combined with --base-url http://mock.example.',
        ],
      },
    ],
  },
  {
    of,
    flag: ['--tls-cert', cert, '--tls-key', key],
    config: `tls_cert: ${cert}\ntls_key: ${key}`,
    library: none(LISTENS),
    probe: scheme,
    seen: 'https:',
    bad: [
      {
        value: missing,
        flag: [
          ['--tls-cert', missing, '--tls-key', key],
          `The file ${missing} of --tls-cert cannot be read: it does not exist.`,
        ],
      },
      {
        value: 'http://mock.example',
        flag: [
          ['--tls-cert', cert, '--tls-key', key, '--base-url', 'http://mock.example'],
          '--tls-cert cannot be combined with --base-url http://mock.example.',
        ],
      },
    ],
  },
  {
    of,
    flag: ['--tls-key', key, '--tls-cert', cert],
    config: `tls_key: ${key}\ntls_cert: ${cert}`,
    library: none(LISTENS),
    probe: scheme,
    seen: 'https:',
    bad: [
      {
        value: missing,
        flag: [
          ['--tls-key', missing, '--tls-cert', cert],
          `The file ${missing} of --tls-key cannot be read: it does not exist.`,
        ],
      },
    ],
  },
]);
