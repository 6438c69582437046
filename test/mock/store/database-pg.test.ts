import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Database, StoreBusyError, StoreOpenError } from '../../../src/mock/store/database.ts';
import { PostgresDatabase } from '../../../src/mock/store/database-pg.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { createTables } from '../../../src/mock/store/tables.ts';
import {
  describeWithDatabases,
  describeWithPostgres,
  type PostgresServer,
} from '../../support/postgres.ts';

const opened: Database[] = [];
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});

async function open(url: string, busyTimeout?: number): Promise<Database> {
  const db = await openDatabase({
    address: url,
    ...(busyTimeout !== undefined && { busyTimeout }),
  });
  opened.push(db);
  return db;
}

async function whyNot(url: string): Promise<StoreOpenError> {
  const error = await openDatabase({ address: url }).catch((reason: unknown) => reason);
  if (error instanceof StoreOpenError) return error;
  throw new Error(`It was opened, or failed otherwise: ${String(error)}`);
}

describe('without a server', () => {
  it.each<[string, string, string]>([
    ['has no host that can be', 'postgres://a b/c', 'bad_address'],
    ['has a port that cannot be', 'postgres://me:hush@127.0.0.1:99999/x', 'bad_address'],
    ['has a broken escape', 'postgres://me:hush%zz@127.0.0.1/x', 'bad_address'],
    [
      'names a file that is not there',
      'postgres://me:hush@127.0.0.1/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      'bad_tls_file',
    ],
    ['leads to a port where nothing listens', 'postgres://me:hush@127.0.0.1:1/x', 'unreachable'],
    ['leads to a host that does not exist', 'postgres://me:hush@host.invalid/x', 'unreachable'],
    ['leads to a socket that is not there', 'postgres://me@/x?host=/nowhere', 'unreachable'],
  ])('refuses a URL that %s', async (_what, url, code) => {
    const error = await whyNot(url);
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('hush');
  });

  it('says what to type when the driver is not installed', async () => {
    const missing = Object.assign(new Error(`Cannot find package 'pg'`), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const opening = PostgresDatabase.open({
      url: 'postgres://127.0.0.1/x',
      busyTimeout: 1,
      loadDriver: () => Promise.reject(missing),
    });
    await expect(opening).rejects.toMatchObject({
      code: 'no_driver',
      message: expect.stringContaining('npm install pg'),
    });
  });
});

describeWithDatabases('opening a PostgreSQL database', (server) => {
  const without = (url: string) => url.replace(/:[^:@]*@/, '@');

  it.each<[string, string, (server: PostgresServer) => Promise<string>, string]>([
    ['asks for a password', 'no_password', async (s) => without(s.url('postgres')), 'PGPASSWORD'],
    [
      'refuses the password',
      'wrong_password',
      async (s) => s.url('postgres', { password: 'hush' }),
      'password',
    ],
    [
      'knows no such user',
      'wrong_password',
      async (s) => s.url('postgres', { user: 'nobody' }),
      'user',
    ],
    ['has no such database', 'no_database', async (s) => s.url('missing'), 'createdb'],
    [
      'does not speak the TLS that is asked for',
      'no_tls',
      async (s) => `${s.url('postgres')}?sslmode=require`,
      'sslmode=disable',
    ],
    [
      'does not hold Unicode',
      'not_utf8',
      (s) => s.newDatabase(`TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`),
      'UTF8',
    ],
    [
      'holds the tables of another program',
      'foreign',
      async (s) => {
        const url = await s.newDatabase();
        await s.sql('CREATE TABLE recipes (id INTEGER)', url);
        return url;
      },
      'another program',
    ],
    [
      'holds another program’s table of the same name',
      'foreign',
      async (s) => {
        const url = await s.newDatabase();
        await s.sql('CREATE TABLE table_sets (form TEXT, name TEXT)', url);
        return url;
      },
      'another program',
    ],
    [
      'lets the user make no tables',
      'no_rights',
      async (s) => {
        await s.sql(`CREATE ROLE reader LOGIN PASSWORD 'hush'`);
        const url = await s.newDatabase();
        await s.sql('REVOKE CREATE ON SCHEMA public FROM PUBLIC', url);
        const name = new URL(url).pathname.slice(1);
        return s.url(name, { user: 'reader', password: 'hush' });
      },
      'GRANT',
    ],
    [
      'has no connection left',
      'no_room',
      async (s) => {
        await s.sql(`CREATE ROLE crowd LOGIN PASSWORD 'hush' CONNECTION LIMIT 0`);
        return s.url('postgres', { user: 'crowd', password: 'hush' });
      },
      'try again',
    ],
  ])('fails with advice when it %s', async (_what, code, prepare, advice) => {
    const error = await whyNot(await prepare(server));
    expect(error.code).toBe(code);
    expect(error.message).toContain(advice);
    for (const secret of ['hush', server.password, encodeURIComponent(server.password)]) {
      expect(error.message).not.toContain(secret);
    }
  });

  it('takes a database that agent-auth made', async () => {
    const url = await server.newDatabase();
    await createTables(await open(url), []);
    await open(url);
  });

  it('takes the forms of other programs for the same URL', async () => {
    const url = await server.newDatabase();
    await open(url.replace('postgres:', 'postgresql:'));
    const [, login, name] = /\/\/(.*)@.*\/(.*)$/.exec(url) ?? [];
    await open(`postgres://${login}@/${name}?host=${server.folder}&port=${server.port}`);
  });
});

describeWithPostgres('TLS to PostgreSQL', (server) => {
  async function withCertificate(work: (authority: string) => Promise<void>): Promise<void> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    const write = (text: string, file: string) =>
      server.sql(
        `COPY (SELECT unnest(string_to_array('${text.trim().replaceAll('\r', '')}', E'\\n')))
         TO PROGRAM 'cat >${file}; chmod 600 ${file}'`,
      );
    await write(cert, `${server.folder}/server.crt`);
    await write(key, `${server.folder}/server.key`);
    await server.sql(`ALTER SYSTEM SET ssl_cert_file = '${server.folder}/server.crt'`);
    await server.sql(`ALTER SYSTEM SET ssl_key_file = '${server.folder}/server.key'`);
    await server.sql('ALTER SYSTEM SET ssl = on');
    await server.sql('SELECT pg_reload_conf()');
    const folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
    writeFileSync(join(folder, 'ca.pem'), cert);
    try {
      await work(join(folder, 'ca.pem'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('is spoken and verified as sslmode says', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    await withCertificate(async (authority) => {
      const url = await server.newDatabase();
      for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
        const unknown = await whyNot(`${url}?sslmode=${mode}`);
        expect([mode, unknown.code]).toEqual([mode, 'tls']);
        expect(unknown.message).toContain('sslrootcert');
        await isEncrypted(`${url}?sslmode=${mode}&sslrootcert=${authority}`, true);
      }
      await isEncrypted(`${url}?sslmode=no-verify`, true);
      await isEncrypted(`${url}?sslmode=disable`, false);
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('is verified although NODE_TLS_REJECT_UNAUTHORIZED=0 is set', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    await withCertificate(async (authority) => {
      const url = await server.newDatabase();
      for (const query of ['ssl=true', 'sslmode=require', 'sslmode=verify-full']) {
        expect([query, (await whyNot(`${url}?${query}`)).code]).toEqual([query, 'tls']);
      }
      await isEncrypted(`${url}?sslmode=verify-full&sslrootcert=${authority}`, true);
      await isEncrypted(`${url}?sslmode=no-verify`, true);
    });
  });

  async function isEncrypted(url: string, expected: boolean): Promise<void> {
    const db = await open(url);
    const row = await db.read((reader) =>
      reader.get('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'),
    );
    expect([url, row]).toEqual([url, { ssl: Number(expected) }]);
  }
});

describeWithDatabases('a PostgreSQL database in use', (server) => {
  const hangUp = (url: string) =>
    server.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = '${new URL(url).pathname.slice(1)}'`,
    );

  it('goes on when the server hung up while nobody used it', async () => {
    const url = await server.newDatabase();
    const db = await open(url);
    await db.transaction((tx) => tx.run('CREATE TABLE t (a TEXT)'));
    await db.read((reader) => reader.all('SELECT a FROM t'));
    await hangUp(url);
    expect(await db.transaction((tx) => tx.run('INSERT INTO t VALUES (?)', ['x']))).toBe(1);
    expect(await db.read((reader) => reader.all('SELECT a FROM t'))).toEqual([{ a: 'x' }]);
  });

  it('says busy when the server hangs up in the middle, undoes all of it, and goes on', async () => {
    const url = await server.newDatabase();
    const db = await open(url);
    await db.transaction((tx) => tx.run('CREATE TABLE t (a TEXT)'));
    const inTheMiddle = db.transaction(async (tx) => {
      await tx.run('INSERT INTO t VALUES (?)', ['x']);
      await hangUp(url);
      await tx.run('INSERT INTO t VALUES (?)', ['y']);
    });
    await expect(inTheMiddle).rejects.toThrow(StoreBusyError);
    const beforeCommit = db.transaction(async (tx) => {
      await tx.run('INSERT INTO t VALUES (?)', ['x']);
      await hangUp(url);
    });
    await expect(beforeCommit).rejects.toThrow(StoreBusyError);
    expect(await db.read((reader) => reader.all('SELECT a FROM t'))).toEqual([]);
    await db.transaction((tx) => tx.run('INSERT INTO t VALUES (?)', ['x']));
  });

  it('does not commit what had a mistake in it, although its work went on', async () => {
    const db = await open(await server.newDatabase());
    await db.transaction((tx) => tx.run('CREATE TABLE t (a TEXT PRIMARY KEY)'));
    const swallowing = db.transaction(async (tx) => {
      await tx.run('INSERT INTO t VALUES (?)', ['x']);
      await tx.run('INSERT INTO t VALUES (?)', ['x']).catch(() => 0);
      return 'done';
    });
    await expect(swallowing).rejects.toMatchObject({ code: '23505' });
    expect(await db.read((reader) => reader.all('SELECT a FROM t'))).toEqual([]);
  });

  it('says busy when the server has no connection left', async () => {
    const url = await server.newDatabase();
    const name = new URL(url).pathname.slice(1);
    await server.sql(`CREATE ROLE narrow LOGIN PASSWORD 'hush' CONNECTION LIMIT 1`);
    await server.sql(`GRANT CREATE ON SCHEMA public TO narrow`, url);
    const db = await open(server.url(name, { user: 'narrow', password: 'hush' }));
    await db.transaction(async () => {
      await expect(db.read(async () => 1)).rejects.toThrow(StoreBusyError);
    });
    expect(await db.transaction(async () => 1)).toBe(1);
  });

  it('serves more at once than it has connections, readers while a writer works', async () => {
    const db = await open(await server.newDatabase());
    await db.transaction((tx) => tx.run('CREATE TABLE t (a BIGINT)'));
    await db.transaction(async (tx) => {
      await tx.run('INSERT INTO t VALUES (?)', [0]);
      const seen = await Promise.all(
        Array.from({ length: 40 }, () => db.read((reader) => reader.all('SELECT a FROM t'))),
      );
      expect(seen.flat()).toEqual([]);
    });
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        db.transaction((tx) => tx.run('INSERT INTO t VALUES (?)', [at])),
      ),
    );
    expect(await db.read((reader) => reader.all('SELECT a FROM t'))).toHaveLength(41);
  });

  it('keeps its rules whatever the defaults of the database are', async () => {
    const url = await server.newDatabase();
    const name = new URL(url).pathname.slice(1);
    await server.sql(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
    await server.sql(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const db = await open(url);
    const other = await open(url);
    await db.transaction((tx) => tx.run('CREATE TABLE t (n BIGINT)'));
    await db.transaction((tx) => tx.run('INSERT INTO t VALUES (?)', [0]));
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        [db, other][at % 2]?.transaction(async (tx) => {
          const row = await tx.get('SELECT n FROM t');
          await tx.run('UPDATE t SET n = ?', [Number(row?.['n']) + 1]);
        }),
      ),
    );
    expect(await db.read((reader) => reader.get('SELECT n FROM t'))).toEqual({ n: '20' });
  });

  it('lets a reader write nothing', async () => {
    const db = await open(await server.newDatabase());
    await db.transaction((tx) => tx.run('CREATE TABLE t (a TEXT)'));
    const writing = db.read((reader) => reader.get(`INSERT INTO t VALUES ('x') RETURNING a`));
    await expect(writing).rejects.toMatchObject({ code: '25006' });
  });

  it('cuts a process off that hangs inside a transaction', async () => {
    const db = await open(await server.newDatabase());
    const limit = db.transaction((tx) => tx.get('SHOW idle_in_transaction_session_timeout'));
    expect(await limit).toEqual({ idle_in_transaction_session_timeout: '10s' });
  });

  it('waits for the one before it no longer than it was told', async () => {
    const url = await server.newDatabase();
    const [one, two] = [await open(url), await open(url, 1)];
    await one.transaction(async (tx) => {
      await tx.get('SELECT 1');
      await expect(two.transaction(async () => 1)).rejects.toThrow(StoreBusyError);
      expect(await two.read(async () => 1)).toBe(1);
    });
  });
});

describeWithPostgres('a PostgreSQL server that goes away', (server) => {
  it('makes everything busy, and crashes nothing', async () => {
    const db = await open(await server.newDatabase());
    await db.transaction(async () => 1);
    await server.stop();
    await expect(db.transaction(async () => 1)).rejects.toThrow(StoreBusyError);
    await expect(db.read(async () => 1)).rejects.toThrow(StoreBusyError);
  });
});
