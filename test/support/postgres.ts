import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { freePort } from './free-port.ts';
import { LIMITED } from './limited.ts';

/** Where Debian keeps them, off the PATH. */
const DEBIAN = '/usr/lib/postgresql';
const PASSWORD = 'not a secret: 100%';

/** The first folder of a search path with `initdb` and `postgres` in it, or `undefined`. */
export function findPostgres(path: string, debian = DEBIAN): string | undefined {
  return [...path.split(delimiter).filter(Boolean), ...debianFolders(debian)].find((folder) =>
    ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))),
  );
}

/**
 * A `describe` for tests that need a real PostgreSQL. It gets a server of its own, gone after the
 * tests. Without the programs it is skipped and says so; with AGENT_AUTH_REQUIRE_POSTGRES=1 that is
 * an error.
 */
export function describeWithPostgres(name: string, body: (server: PostgresServer) => void): void {
  const found = findPostgres(process.env['PATH'] ?? '');
  if (found === undefined && process.env['AGENT_AUTH_REQUIRE_POSTGRES'] === '1') {
    throw new Error('AGENT_AUTH_REQUIRE_POSTGRES=1, but no PostgreSQL is on the PATH');
  }
  if (found === undefined) {
    process.stdout.write(`skipped: ${name}: no PostgreSQL on the PATH\n`);
  }
  describe.skipIf(found === undefined)(name, () => {
    const server = new PostgresServer(found ?? '');
    beforeAll(() => server.start());
    afterAll(() => server.stop());
    body(server);
  });
}

/**
 * Runs until its input ends, so that no server outlives this process, however that ends.
 * Arguments: the folder of the programs, the port, the password.
 */
const KEEPER = `
set -eu
dir=$(mktemp -d)
pid=
cleanup() { if [ -n "$pid" ]; then kill -INT "$pid" 2>/dev/null || true; wait "$pid" || true; fi; rm -rf "$dir"; }
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
printf '%s' "$3" >"$dir/password"
"$1/initdb" -D "$dir/data" -U postgres -A scram-sha-256 --pwfile="$dir/password" \
  --encoding=UTF8 --locale=C --no-sync >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
"$1/postgres" -D "$dir/data" -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories="$dir" \
  -c fsync=off -c max_connections=60 -c autovacuum=off >>"$dir/log" 2>&1 </dev/null &
pid=$!
echo "$dir"
cat >/dev/null
`;

/** A PostgreSQL server of this test file, on a free port of this machine. */
export class PostgresServer {
  readonly #programs: string;
  #keeper: ChildProcess | undefined;
  #port = 0;
  #folder = '';
  #databases = 0;

  constructor(programs: string) {
    this.#programs = programs;
  }

  get port(): number {
    return this.#port;
  }

  /** The folder of its socket. */
  get folder(): string {
    return this.#folder;
  }

  get password(): string {
    return PASSWORD;
  }

  async start(): Promise<void> {
    this.#port = await freePort();
    const args = ['-c', KEEPER, 'keeper', this.#programs, String(this.#port), PASSWORD];
    // The server refuses to run as root.
    const [command, prefix] =
      process.getuid?.() === 0
        ? ['runuser', ['-u', unprivilegedUser(), '--', 'sh']]
        : ['sh', [] as string[]];
    const keeper = spawn(command, [...prefix, ...args], {
      cwd: '/',
      // Out of the group of this process: who is killed with it cannot clean up.
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#keeper = keeper;
    this.#folder = await firstLine(keeper);
    await this.#untilReady();
  }

  async stop(): Promise<void> {
    const keeper = this.#keeper;
    if (keeper === undefined || keeper.exitCode !== null) return;
    const ended = new Promise((resolve) => keeper.once('exit', resolve));
    keeper.stdin?.end();
    await ended;
  }

  /** The URL of a database, with the password in it. */
  url(database: string, { user = 'postgres', password = PASSWORD } = {}): string {
    const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
    return `postgres://${login}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Makes an empty database and resolves to its URL. */
  async newDatabase(options = ''): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await this.sql(`CREATE DATABASE ${name} ${options}`);
    return this.url(name);
  }

  /** Runs statements as the administrator, and resolves to the rows of the last one. */
  async sql(text: string, url = this.url('postgres')): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      const result = await client.query<Record<string, unknown>>(text);
      return [result].flat().at(-1)?.rows ?? [];
    } finally {
      await client.end();
    }
  }

  async #untilReady(): Promise<void> {
    for (let left = 600; ; left -= 1) {
      try {
        await this.sql('SELECT 1');
        return;
      } catch (error) {
        if (left <= 0 || this.#keeper?.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [line, rest] = text.split('\n');
      if (rest !== undefined) resolve(line ?? '');
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('PostgreSQL did not start.')));
  });
}

function unprivilegedUser(): string {
  try {
    execFileSync('id', ['postgres'], { stdio: 'ignore', ...LIMITED });
    return 'postgres';
  } catch {
    return 'nobody';
  }
}

/** The newest version first. */
function debianFolders(root: string): readonly string[] {
  try {
    return readdirSync(root)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(root, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
