import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';
import { freePort } from '../../../support/free-port.ts';
import { describeWithDatabases } from '../../../support/postgres.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { newMachine, type Run, runCli } from '../../support/run-cli.ts';
import { serving as servingOn } from '../../support/serving.ts';

const network = createSystemFetch();
let folder: string;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => vi.unstubAllEnvs());

const run = (line: string, env: Record<string, string> = {}): Promise<Run> =>
  runCli({ ...newMachine(), network }, line.split(' '), {
    env: { XDG_RUNTIME_DIR: folder, ...env },
  });

/** Runs a server command, `during` once it is ready, then stops it as Ctrl-C does. */
const serving = (
  line: string,
  env: Record<string, string>,
  during: () => Promise<void>,
): Promise<Run> =>
  servingOn(
    { ...newMachine(), network },
    [...line.split(' '), '--json'],
    { XDG_RUNTIME_DIR: folder, ...env },
    during,
  );

describe('--db with a URL', () => {
  it.each([
    'postgres://me:hush@127.0.0.1/x',
    'postgresql://127.0.0.1/x?user=me&password=hush',
    'postgres://me:hu/sh@127.0.0.1:99999/x',
  ])('refuses a password, which it does not repeat: %s', async (url) => {
    const ran = await run(`mock up --db ${url}`);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('PGPASSWORD');
    expect(ran.stderr).toContain('AGENT_AUTH_DB');
    expect(ran.stdout + ran.stderr).not.toMatch(/hu\/?sh/);
  });

  it('refuses a password in a configuration file, too', async () => {
    const file = join(folder, 'mock.yaml');
    writeFileSync(file, 'db: postgres://me:hush@127.0.0.1/x\n');
    const ran = await run(`mock up --config ${file}`);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).not.toContain('hush');
  });

  it('says what to do when nothing answers there', async () => {
    const ran = await run('mock service --db postgres://me@127.0.0.1:1/x --json');
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject([
      {
        error: {
          code: 'database',
          message:
            'No PostgreSQL answers at postgres://me@127.0.0.1:1/x; start it, or correct the URL.',
        },
      },
    ]);
  });
});

describe('AGENT_AUTH_DB', () => {
  it('may have a password, which no output shows', async () => {
    const env = { AGENT_AUTH_DB: 'postgres://me:hush@127.0.0.1:1/x' };
    for (const line of ['mock up', 'mock up --debug', 'doctor --json', 'doctor', 'mock list']) {
      const ran = await run(line, env);
      expect(ran.stdout + ran.stderr).not.toContain('hush');
    }
  });

  it('names a file as well, and gives way to --db', async () => {
    const env = { AGENT_AUTH_DB: join(folder, 'missing', 'x.db') };
    const ran = await run('mock service --port 0', env);
    expect(ran.stderr).toContain('missing');
    const { code } = await serving(
      `mock service --port 0 --db ${join(folder, 'y.db')}`,
      env,
      async () => {},
    );
    expect(code).toBe(0);
  });

  it('stands in `help environment`, with what the driver reads', async () => {
    const { stdout } = await run('help environment');
    for (const name of ['AGENT_AUTH_DB', 'PGPASSWORD', 'PGHOST', 'PGSSLMODE']) {
      expect(stdout).toContain(name);
    }
  });
});

describeWithDatabases('mocks on PostgreSQL', (server) => {
  it('are replicas of each other: registered at one, known at the other', async () => {
    const url = await server.newDatabase();
    const env = { AGENT_AUTH_DB: url };
    const [first, second] = [await freePort(), await freePort()];
    const command = (port: number) =>
      `mock service --port ${port} --base-url https://service.example`;
    const post = (port: number, path: string, body: string, type: string) =>
      network(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
    const runs = await serving(command(first), env, async () => {
      await serving(command(second), env, async () => {
        const registered = await post(
          first,
          '/agent/identity',
          '{"type":"anonymous"}',
          'application/json',
        );
        const { identity_assertion: assertion } = (await registered.json()) as Record<
          string,
          string
        >;
        const form = new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: assertion ?? '',
        });
        const type = 'application/x-www-form-urlencoded';
        const exchanged = await post(second, '/oauth2/token', form.toString(), type);
        expect(exchanged.status).toBe(200);
      });
    });
    expect([runs.code, runs.stderr]).toEqual([0, '']);
    expect(runs.stdout).not.toContain(encodeURIComponent(server.password));
  });

  it('take the password from PGPASSWORD', async () => {
    const name = new URL(await server.newDatabase()).pathname.slice(1);
    const line = `mock up --port 0 --db postgres://postgres@127.0.0.1:${server.port}/${name}`;
    const without = await run(line);
    expect([without.code, without.stderr.includes('PGPASSWORD')]).toEqual([1, true]);
    vi.stubEnv('PGPASSWORD', server.password);
    expect((await serving(line, {}, async () => {})).code).toBe(0);
    vi.stubEnv('PGPASSWORD', 'hush');
    const wrong = await run(line);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('rejects the user or the password');
    expect(wrong.stderr).not.toContain('hush');
  });
});
