import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { LIMITED } from './limited.ts';

/** Where Debian keeps them, off the PATH. */
const DEBIAN = '/usr/lib/postgresql';
const PASSWORD = 'not a secret: 100%';
/** Nothing has to outlive a test. */
const FOR_TESTS = '-c fsync=off -c autovacuum=off';

/** The first folder of a search path with `initdb` and `postgres` in it, or `undefined`. */
export function findPostgres(path: string, debian = DEBIAN): string | undefined {
  return [...path.split(delimiter).filter(Boolean), ...debianFolders(debian)].find((folder) =>
    ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))),
  );
}

/**
 * Runs until its input ends, so that no server outlives this process, however that ends.
 * Arguments: the folder of the programs, the port, the password, further settings.
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
  -c max_connections=150 $4 >>"$dir/log" 2>&1 </dev/null &
pid=$!
echo "$dir"
cat >/dev/null
`;

/** A PostgreSQL server of its own, on a free port of this machine. */
export class PostgresServer {
  readonly #programs: string;
  readonly #settings: string;
  #keeper: ChildProcess | undefined;
  #port = 0;
  #folder = '';
  #databases = 0;

  /** @param settings arguments of `postgres`, separated by spaces. */
  constructor(programs: string, settings = FOR_TESTS) {
    this.#programs = programs;
    this.#settings = settings;
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
    const given = [this.#programs, String(this.#port), PASSWORD, this.#settings];
    const args = ['-c', KEEPER, 'keeper', ...given];
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
