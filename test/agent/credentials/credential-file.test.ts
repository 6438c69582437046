import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addRegistration } from '../../../src/agent/credentials/change-credentials.ts';
import { openCredentialFile } from '../../../src/agent/credentials/credential-file.ts';
import type { CredentialStore } from '../../../src/agent/index.ts';
import { failure } from '../support/bench.ts';
import { add, registration, service } from './some-credentials.ts';
import { describeCredentialStore } from './store-contract.ts';

let root: string;
let folder: string;
let path: string;
let store: CredentialStore;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function open(): CredentialStore {
  return openCredentialFile({ environment: { AGENT_AUTH_HOME: folder } });
}

let serial = 0;
function fresh(): CredentialStore {
  serial += 1;
  folder = join(root, `home-${serial}`, 'agent-auth');
  path = join(folder, 'credentials.json');
  return open();
}

beforeEach(() => {
  store = fresh();
});

describeCredentialStore('the file', fresh);

const mode = (of: string) => lstatSync(of).mode & 0o777;
const read = () => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const write = (text: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
};

describe('the credential file', () => {
  it('is not made by reading', async () => {
    await store.read();
    expect(existsSync(folder)).toBe(false);
  });

  it('gets its modes on every write', async () => {
    await add(store, 'reg_1');
    chmodSync(folder, 0o755);
    await add(store, 'reg_2');
    expect([mode(folder), mode(path)]).toEqual([0o700, 0o600]);
  });

  it('leaves nothing beside itself', async () => {
    await add(store, 'reg_1');
    await store.probeWritable();
    expect(readdirSync(folder)).toEqual(['credentials.json']);
  });

  it('names its version', async () => {
    await add(store, 'reg_1');
    expect(read()['schema']).toBe('agent-auth.credentials/1');
  });

  it.each([0o640, 0o604, 0o660, 0o644])(
    'of mode %o is not used, and says the chmod',
    async (bits) => {
      await add(store, 'reg_1');
      chmodSync(path, bits);
      const before = readFileSync(path, 'utf8');
      for (const use of [store.read, () => add(store, 'reg_2'), store.probeWritable]) {
        expect(await failure(use())).toMatchObject({
          code: 'credentials_open_to_others',
          hint: expect.stringContaining(`chmod 600 '${path}'`),
        });
      }
      expect(readFileSync(path, 'utf8')).toBe(before);
    },
  );

  it.skipIf(process.platform === 'win32')('that is a FIFO does not hang the program', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    const error = await failure(store.read());
    expect([error.code, error.message]).toEqual([
      'credentials_not_a_file',
      expect.stringContaining('not a regular file'),
    ]);
    expect(lstatSync(path).isFIFO()).toBe(true);
  });

  it('that is larger than 16 MiB is not read into memory, and is kept', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
    truncateSync(path, 16 * 1024 * 1024 + 1);
    const error = await failure(store.read());
    expect([error.code, error.message]).toEqual([
      'credentials_not_readable',
      expect.stringContaining('larger than 16 MiB'),
    ]);
    expect(lstatSync(path).size).toBe(16 * 1024 * 1024 + 1);
  });

  it('that is a symbolic link is not followed', async () => {
    const target = join(root, 'target.json');
    writeFileSync(target, '{"schema":"agent-auth.credentials/1"}', { mode: 0o600 });
    mkdirSync(folder, { recursive: true });
    symlinkSync(target, path);
    expect((await failure(store.read())).code).toBe('credentials_not_a_file');
    expect((await failure(add(store, 'reg_1'))).code).toBe('credentials_not_a_file');
    expect(readFileSync(target, 'utf8')).toBe('{"schema":"agent-auth.credentials/1"}');
  });

  it('that is a folder is not used', async () => {
    mkdirSync(path, { recursive: true });
    expect((await failure(store.read())).code).toBe('credentials_not_a_file');
  });

  it('follows no link that lies beside it, and takes none for its own', async () => {
    const target = join(root, 'victim');
    writeFileSync(target, 'keep');
    mkdirSync(folder, { recursive: true });
    symlinkSync(target, `${path}.new`);
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(target, longAgo, longAgo);
    await add(store, 'reg_1');
    expect(readFileSync(target, 'utf8')).toBe('keep');
    expect(lstatSync(path).isFile()).toBe(true);
  });

  it.each([
    ['not JSON', '{"schema": "agent-auth.cred'],
    ['empty', ''],
    ['not an object', '[]'],
    ['of another schema', '{"schema":"other/1"}'],
    ['without its members', '{"schema":"agent-auth.credentials/1"}'],
    ['a secret that is no text', '{"token":"s3cret-value" oops'],
  ])('that is %s is reported with its path and left as it is', async (_what, text) => {
    write(text);
    for (const use of [store.read, () => add(store, 'reg_1')]) {
      const error = await failure(use());
      expect(error.code).toBe('credentials_broken');
      expect(error.message).toContain(path);
      expect(error.message).not.toContain('s3cret');
    }
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('of another version is refused, and left as it is', async () => {
    const text = '{"schema":"agent-auth.credentials/2","whatever":true}';
    write(text);
    expect((await failure(store.read())).code).toBe('credentials_version');
    expect((await failure(add(store, 'reg_1'))).code).toBe('credentials_version');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('keeps members that a newer minor version wrote', async () => {
    await add(store, 'reg_1');
    const file = read() as {
      added?: string;
      services: { added?: string; registrations: Record<string, object | string>[] }[];
    };
    file.added = 'top';
    const [entry] = file.services;
    const [first] = entry?.registrations ?? [];
    if (entry === undefined || first === undefined) throw new Error('Nothing was written.');
    entry.added = 'service';
    first['added'] = 'registration';
    Object.assign(first['access_token'] ?? {}, { added: 'token' });
    Object.assign(first['identity_assertion'] ?? {}, { added: 'assertion' });
    write(JSON.stringify(file));

    await store.update((current) => [
      {
        ...current,
        services: current.services.map((record) => ({
          ...record,
          registrations: record.registrations.map((one) => ({
            ...one,
            assertion: registration('other').assertion,
          })),
        })),
      },
      undefined,
    ]);
    await add(store, 'reg_2');
    expect(read()).toMatchObject({
      added: 'top',
      services: [
        {
          added: 'service',
          registrations: [
            { added: 'registration', access_token: { added: 'token' } },
            { registration_id: 'reg_2' },
          ],
        },
      ],
    });
    // What described the old assertion does not describe the new one.
    const [, text] = /"identity_assertion": (\{[^}]*\})/.exec(readFileSync(path, 'utf8')) ?? [];
    expect(text).not.toContain('added');
  });

  it('keeps how a claim is started there, and what it does not know of that', async () => {
    await add(store, 'reg_1');
    const setForm = (form: unknown) => {
      const file = read() as { services: { registrations: { claim: object }[] }[] };
      Object.assign(file.services[0]?.registrations[0]?.claim ?? {}, { form });
      write(JSON.stringify(file));
    };
    const form = async () => (await open().read()).services[0]?.registrations[0]?.claim?.form;
    expect(await form()).toBeUndefined();
    setForm('typed');
    expect(await form()).toBe('typed');
    setForm('of a later version');
    expect(await form()).toBeUndefined();
    await add(store, 'reg_2');
    expect(readFileSync(path, 'utf8')).toContain('"of a later version"');
  });

  it('is not rewritten when nothing changed', async () => {
    await add(store, 'reg_1');
    const { ino } = lstatSync(path);
    await store.update((current) => [current, undefined]);
    expect(lstatSync(path).ino).toBe(ino);
  });

  it('that cannot be written says so before a ceremony', async () => {
    mkdirSync(root, { recursive: true });
    const file = join(root, 'a-file');
    writeFileSync(file, '');
    const blocked = openCredentialFile({ environment: { AGENT_AUTH_HOME: join(file, 'below') } });
    const error = await failure(blocked.probeWritable());
    expect(error).toMatchObject({ code: 'credentials_not_writable' });
    expect(error.message).toContain(join(file, 'below'));
    expect(error.hint).toContain('AGENT_AUTH_HOME');
  });

  it('does not try for ever where a folder is there and takes no other, as /proc', async () => {
    const nowhere = openCredentialFile({ environment: { AGENT_AUTH_HOME: '/proc/agent-auth/x' } });
    expect((await failure(nowhere.probeWritable())).code).toBe('credentials_not_writable');
  });

  it('is not put into an open folder that has another use, whose mode is left alone', async () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'notes.txt'), '');
    expect(await failure(add(store, 'reg_1'))).toMatchObject({ code: 'credentials_not_writable' });
    expect(mode(folder)).toBe(0o755);
    chmodSync(folder, 0o700);
    await add(store, 'reg_1');
  });

  it('is not put into a folder that is shared, whose mode is left alone', async () => {
    const shared = join(root, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    const there = openCredentialFile({ environment: { AGENT_AUTH_HOME: shared } });
    expect((await failure(there.probeWritable())).code).toBe('credentials_not_writable');
    expect(lstatSync(shared).mode & 0o7777).toBe(0o1777);
  });
});

describe('the credential file, used by other processes', () => {
  const run = promisify(execFile);
  let writer: string;

  beforeAll(async () => {
    writer = await bundleWriter();
  });

  it('loses nothing when several write at once', async () => {
    await Promise.all(
      ['a', 'b', 'c'].map((prefix) => run(process.execPath, [writer, folder, prefix])),
    );
    const [record] = (await store.read()).services;
    expect(record?.registrations).toHaveLength(15);
  });

  it('is for its owner alone, whatever the umask', async () => {
    const line = 'umask 000; exec "$0" "$@"';
    await run('sh', ['-c', line, process.execPath, writer, folder, 'a']);
    expect([mode(folder), mode(path)]).toEqual([0o700, 0o600]);
  });

  it('leaves what another process may be writing beside it right now', async () => {
    const store = fresh();
    await add(store, 'reg_1');
    writeFileSync(`${path}.3c4d.new`, 'half a fi', { mode: 0o600 });
    await add(store, 'reg_2');
    expect(existsSync(`${path}.3c4d.new`)).toBe(true);
  });

  it('is written again after a process died while it held the lock', async () => {
    await add(store, 'reg_1');
    mkdirSync(`${path}.lock`);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${path}.lock`, longAgo, longAgo);
    writeFileSync(`${path}.1a2b.new`, 'half a fi', { mode: 0o600 });
    utimesSync(`${path}.1a2b.new`, longAgo, longAgo);
    await add(store, 'reg_2');
    expect((await store.read()).services[0]?.registrations).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(['credentials.json']);
  });

  it('opens and has lost nothing after its writer was killed, whenever that was', async () => {
    const stored: string[] = [];
    for (let round = 0; round < 15; round += 1) {
      stored.push(...(await killWhileWriting(`${round}-`, round)));
      // The five seconds after which a lock is taken for abandoned.
      if (existsSync(`${path}.lock`)) {
        const longAgo = new Date(Date.now() - 60_000);
        utimesSync(`${path}.lock`, longAgo, longAgo);
      }
      const [record] = (await store.read()).services;
      const ids = record?.registrations.map(({ id }) => id) ?? [];
      expect(ids).toEqual(expect.arrayContaining(stored));
      // At most the one that was written, but not yet told, when the end came.
      expect(new Set(ids).size).toBe(ids.length);
      await add(store, `after-${round}`);
      stored.push(`after-${round}`);
    }
  });

  /** Kills a writer soon after its first write; resolves to what it said it had stored. */
  async function killWhileWriting(prefix: string, attempt: number): Promise<string[]> {
    const child = spawn(process.execPath, [writer, folder, prefix, '10000']);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    // Another point of a write each time: its parts take fractions of a millisecond to some.
    const until = performance.now() + attempt * 0.7;
    while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await ended;
    return said.split('\n').slice(0, -1);
  }

  it('loses nothing to a writer that slept for longer than its lock lasted', async () => {
    await add(store, 'reg_1');
    let interloper: Promise<void> | undefined;
    await store.update((current) => {
      if (interloper === undefined) {
        // The lock is taken for abandoned and taken over, as after a suspended machine.
        rmSync(`${path}.lock`, { recursive: true });
        interloper = add(open(), 'reg_2');
      }
      return [addRegistration(current, service, registration('reg_3')), undefined];
    });
    await interloper;
    const [record] = (await store.read()).services;
    expect(record?.registrations.map(({ id }) => id).sort()).toEqual(['reg_1', 'reg_2', 'reg_3']);
  });
});

/** Node 20 runs no TypeScript: the program of the other processes is bundled first. */
async function bundleWriter(): Promise<string> {
  const file = join(root, 'writer.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./writer.ts', import.meta.url)),
    platform: 'node',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  return file;
}
