import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../../../src/cli/mock/servers/mock-tls.ts';
import type { Next } from '../../../../src/cli/shell/next.ts';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';
import { ScriptedUser } from '../../../../src/user/scripted-user.ts';
import { openClaimPage, tryCode } from '../../../../src/user/user-steps.ts';
import { step } from '../../../support/step.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { ALICE, ceremonyOf } from '../../support/mocks.ts';
import { type Machine, newMachine, type Run, runCli } from '../../support/run-cli.ts';
import { serving as servingOn } from '../../support/serving.ts';

let runtime: string;
let machine: Machine;
beforeEach(() => {
  runtime = testFolder();
  machine = { ...newMachine(), connect: createSystemFetch };
});

const run = (line: string): Promise<Run> =>
  runCli(machine, line.split(' '), { env: { XDG_RUNTIME_DIR: runtime } });

interface Ready {
  readonly service: string;
  readonly provider: string;
  readonly ca: string;
  readonly next: Next;
  readonly others: readonly Next[];
}

/** Runs a server command, `during` once it is ready, then stops it as Ctrl-C does. */
const serving = (line: string, during: (ready: Ready) => Promise<void>): Promise<Run> =>
  servingOn(machine, `${line} --json`.split(' '), { XDG_RUNTIME_DIR: runtime }, async (ready) =>
    during(JSON.parse(ready)),
  );

const put = (name: string, text: string): string => {
  const path = join(runtime, name);
  writeFileSync(path, text);
  return path;
};

describe('--tls', () => {
  it('serves https, and names the authority to trust in the ready line and in the lines to type', async () => {
    const { code } = await serving(
      'mock up --port 0 --tls',
      async ({ service, ca, next, others }) => {
        expect(service).toMatch(/^https:\/\/127\.0\.0\.1:/);
        expect(statSync(ca).mode & 0o777).toBe(0o600);
        for (const { line } of [next, ...others]) expect(line).toContain(` --ca ${ca}`);

        const without = await run('register --type anonymous');
        expect(without.code).toBe(7);
        expect(without.stderr).toContain('--ca FILE');
        const { code: registered, json } = await run(`register --type anonymous --ca ${ca} --json`);
        expect(registered).toBe(0);
        expect(json()[0]?.['next']).toEqual(step(`agent-auth claim --email EMAIL --ca ${ca}`));
        expect((await run(`call /api/resource --ca ${ca}`)).code).toBe(0);
      },
    );
    expect(code).toBe(0);
  });

  it('leaves nothing behind', async () => {
    await serving('mock service --port 0 --tls', async () => {});
    expect(readdirSync(join(runtime, 'agent-auth'))).toEqual([]);
  });

  it('lets the mocks reach one another: keys of the provider, events to the service', async () => {
    const done = new AbortController();
    await serving(`mock up --port 0 --tls --auto-approve ${ALICE}`, async (ready) => {
      const { service, provider, ca } = ready;
      expect((await run(`provider login ${provider} --ca ${ca}`)).code).toBe(0);
      // Its limits pass as slowly as they say: one that is over at once would let no event out.
      machine.onSleep = (ms) => setTimeout(ms, undefined, { signal: done.signal }).catch(() => {});
      expect((await run(`register ${service} --provider ${provider} --ca ${ca}`)).code).toBe(0);
      const revoked = await run(`provider revoke ${provider} --audience ${service} --ca ${ca}`);
      expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining('was notified')]);
      const [listed] = (await run(`mock list --json --ca ${ca}`)).json();
      expect(listed).toMatchObject({ registrations: [{ state: 'revoked' }] });
      done.abort();
    });
  });

  it('lets control commands reach it without being told the authority', async () => {
    await serving('mock up --port 0 --tls', async () => {
      expect((await run('mock advance 1m')).code).toBe(0);
    });
  });

  it('has pages on which a user signs in and approves, with cookies that are Secure', async () => {
    await serving('mock service --port 0 --tls', async ({ service, ca }) => {
      const fetch = createSystemFetch({ ca: [readFileSync(ca, 'utf8')] });
      await run(`register --ca ${ca}`);
      const { code, page: link } = ceremonyOf(
        await run(`claim --email ${ALICE} --no-wait --json --ca ${ca}`),
      );
      const user = new ScriptedUser(fetch);
      const end = await tryCode(user, await openClaimPage(user, link, ALICE), code);
      expect(end.status).toBe(200);
      expect((await run(`claim wait --ca ${ca}`)).code).toBe(0);
      const page = await fetch(`${service}/login`);
      expect(page.status).toBe(200);
      expect(page.headers.get('set-cookie')).toMatch(/; Secure/i);
    });
  });

  it('answers under localhost and ::1, too', async () => {
    const { files } = await createLocalAuthority([
      'localhost',
      '127.0.0.1',
      '::1',
      '[::1]',
      'me.test',
    ]);
    const { subjectAltName } = new X509Certificate(files.cert);
    expect(subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:0:0:0:0:0:0:0:1, DNS:me.test',
    );
  });

  it('fails in one line where the authority cannot be written down', async () => {
    rmSync(runtime, { recursive: true });
    const { code, json } = await serving('mock service --port 0 --tls', async () => {});
    expect([code, json()[0]]).toMatchObject([1, { error: { code: 'authority_not_written' } }]);
    writeFileSync(runtime, '');
  });
});

describe('--tls-cert and --tls-key', () => {
  it('serve that certificate; one that vouches for itself is its own authority', async () => {
    const own = await generate([{ name: 'commonName', value: 'mine' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
      ],
    });
    const cert = put('own.pem', own.cert);
    const key = put('own.key', own.private);
    await serving(`mock service --port 0 --tls-cert ${cert} --tls-key ${key}`, async ({ ca }) => {
      expect(ca).toBe(cert);
      expect((await run(`register --ca ${ca}`)).code).toBe(0);
    });
    expect(existsSync(cert)).toBe(true);
  });

  it('serve that of another authority, which clients have to know', async () => {
    const authority = await createLocalAuthority(['127.0.0.1']);
    const cert = put('leaf.pem', authority.files.cert);
    const key = put('leaf.key', authority.files.key);
    const root = put('root.pem', authority.ca);
    await serving(`mock service --port 0 --tls-cert ${cert} --tls-key ${key}`, async ({ ca }) => {
      expect(ca).toBeNull();
      expect((await run(`register --ca ${root}`)).code).toBe(0);
    });
  });

  describe('are refused, with the file and what is wrong,', () => {
    it('when they are no good', async () => {
      const { ca, files } = await createLocalAuthority(['127.0.0.1']);
      const cert = put('cert.pem', files.cert);
      const key = put('key.pem', files.key);
      const other = put('other.key', (await createLocalAuthority(['127.0.0.1'])).files.key);
      const text = put('notes.txt', 'hello');
      const damaged = put('damaged.pem', ca.replace(/\n.{20}/, '\n'));
      const locked = put(
        'locked.key',
        generateKeyPairSync('ec', {
          namedCurve: 'P-256',
          publicKeyEncoding: { type: 'spki', format: 'pem' },
          privateKeyEncoding: {
            type: 'pkcs8',
            format: 'pem',
            cipher: 'aes-256-cbc',
            passphrase: 'x',
          },
        }).privateKey,
      );
      const cases: [string, string][] = [
        [`--tls-cert ${cert}`, '--tls-key is missing'],
        [`--tls-key ${key}`, '--tls-cert is missing'],
        [`--tls --tls-cert ${cert} --tls-key ${key}`, '--tls and --tls-cert cannot be combined'],
        [
          `--tls-cert ${runtime}/none --tls-key ${key}`,
          'none of --tls-cert cannot be read: it does not exist',
        ],
        [`--tls-cert ${runtime} --tls-key ${key}`, 'it is a folder'],
        [
          `--tls-cert ${text} --tls-key ${key}`,
          'notes.txt of --tls-cert contains no PEM certificate',
        ],
        [`--tls-cert ${key} --tls-key ${key}`, 'contains no PEM certificate'],
        [`--tls-cert ${damaged} --tls-key ${key}`, 'damaged.pem is invalid'],
        [
          `--tls-cert ${cert} --tls-key ${text}`,
          'notes.txt of --tls-key contains no PEM private key',
        ],
        [`--tls-cert ${cert} --tls-key ${other}`, 'does not belong to the certificate'],
        [`--tls-cert ${cert} --tls-key ${locked}`, 'has a passphrase'],
      ];
      for (const [options, text] of cases) {
        const { code, stdout, stderr } = await run(`mock service --port 0 ${options}`);
        expect([options, code, stdout]).toEqual([options, 2, '']);
        expect(stderr).toContain(text);
      }
    });
  });
});

describe('--ca', () => {
  it.each([
    ['a file that is not there', () => join(runtime, 'none.pem'), 'it does not exist'],
    ['a file that is no PEM', () => put('notes.txt', 'hello'), 'contains no PEM certificate'],
    [
      'a certificate that is damaged',
      () => put('d.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      'is invalid',
    ],
  ])('exits 2 for %s', async (_what, path, text) => {
    const { code, stderr } = await run(`discover https://service.example --ca ${path()}`);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });
});
