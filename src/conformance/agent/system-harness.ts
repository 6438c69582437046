import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConnectionDropped, type Served, serve } from '../../mock-service/index.ts';
import { type Clock, type Random, type Sleep, silentLog } from '../../runtime/index.ts';
import { CannotTest } from '../engine/judge.ts';
import { HttpClient } from '../http/http-client.ts';
import { Recorder } from '../http/recorder.ts';
import { UNTRUSTED_CERTIFICATE } from '../http/untrusted-certificate.ts';
import { BadCommand, type CommandPorts, processesWith, runCommand } from './agent-command.ts';
import type { AgentFile, AgentJob, AgentRun } from './agent-task.ts';
import type { Handler, Harness, HostOptions } from './harness.ts';
import {
  leadInventedHosts,
  listenForOutside,
  nodeOptions,
  type OutsideListener,
} from './outside-listener.ts';

/** The command of an agent, and the ports of this machine. */
export interface SystemHarnessOptions extends CommandPorts {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly command: readonly [string, ...string[]];
  /** The environment that the command inherits, but for its folders. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The agent's folders, made for one scenario and removed after it. */
const FOLDERS = ['home', 'config', 'data', 'cache', 'state', 'work', 'tmp', 'runtime'] as const;
const LAUNCHERS = ['xdg-open', 'open', 'x-www-browser', 'sensible-browser', 'www-browser'];
/** Between two looks at what the browser was handed. Milliseconds. */
const LOOK_EVERY = 25;
/** Larger files are skipped: they hold no credentials. Bytes. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** Servers on loopback, an own home folder, and the agent's command as a process. */
export class SystemHarness implements Harness {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  failure: Error | undefined;
  readonly #options: SystemHarnessOptions;
  readonly #folder: string;
  readonly #servers: Served[] = [];
  readonly #silent = new Set<() => void>();
  #running: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  #stopped = false;
  #elsewhere: Handler = async () => new Response(null, { status: 404 });
  #outside: OutsideListener | undefined;
  /** The client of the user's browser, as far as the browser is led back to the agent. */
  readonly #browser: HttpClient;

  private constructor(options: SystemHarnessOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.clock = options.clock;
    this.sleep = options.sleep;
    this.random = options.random;
    this.#browser = new HttpClient({ peer: 'agent', clock: this.clock, timeout: 5000 });
  }

  /** Makes the folders of the agent in the temporary folder of this machine. */
  static async open(options: SystemHarnessOptions): Promise<SystemHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'agent-auth-conformance-'));
    for (const name of [...FOLDERS, 'bin']) await mkdir(join(folder, name), { mode: 0o700 });
    const harness = new SystemHarness(options, folder);
    await harness.#addLaunchers();
    const inner = await harness.host(async () => (request) => harness.#elsewhere(request));
    harness.#outside = await listenForOutside(inner);
    await writeFile(harness.#leadScript, leadInventedHosts(harness.#outside.port));
    return harness;
  }

  async host(
    build: (origin: string) => Promise<Handler>,
    { untrusted }: HostOptions = {},
  ): Promise<string> {
    this.#throwIfStopped();
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build,
      tls: untrusted === true ? UNTRUSTED_CERTIFICATE : undefined,
      // An agent that waits for ever is not to be freed by a server that hangs up first.
      limits: { idle: 0 },
    });
    if (this.#stopped) {
      // Whoever stopped it may have closed the others already, and this one would keep the program alive.
      await served.close();
      this.#throwIfStopped();
    }
    this.#servers.push(served);
    return served.origin;
  }

  async elsewhere(handler: Handler): Promise<void> {
    this.#elsewhere = handler;
  }

  secureHosts(): readonly string[] {
    return this.#outside?.secure ?? [];
  }

  silence(): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.#silent.add(() => reject(new ConnectionDropped()));
    });
  }

  endRun(why: string): void {
    this.#running?.abort(why);
  }

  stop(): void {
    this.#stopped = true;
    this.endRun('was interrupted');
  }

  async forget(): Promise<void> {
    for (const name of FOLDERS) {
      const folder = join(this.#folder, name);
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      await mkdir(folder, { mode: 0o700 });
    }
  }

  /** Runs the command of the agent once, to its end or its limit. */
  async run({ variables, limit, browser, browse }: AgentJob): Promise<AgentRun> {
    this.#throwIfStopped();
    this.#running = new AbortController();
    const over = new AbortController();
    await rm(join(this.#folder, 'bin', 'opened'), { force: true });
    try {
      const running = runCommand(
        {
          command: this.#options.command,
          cwd: join(this.#folder, 'work'),
          environment: { ...this.#environment(browser), ...variables },
          limit,
          signal: this.#running.signal,
        },
        this.#options,
      );
      this.#ended = running.then(ignore, ignore);
      if (browse !== undefined) this.#browse(browse, over.signal).catch(ignore);
      const end = await running;
      return { ...end, opened: await this.#opened() };
    } catch (error) {
      if (error instanceof BadCommand) this.failure = error;
      throw error;
    } finally {
      over.abort();
      this.#running = undefined;
      this.#endStrays();
      for (const end of this.#silent) end();
      this.#silent.clear();
    }
  }

  async files(): Promise<readonly AgentFile[]> {
    const found: AgentFile[] = [];
    for (const folder of FOLDERS) {
      const root = join(this.#folder, folder);
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        try {
          const { mode, size } = await lstat(path);
          if (size > LARGEST_FILE) continue;
          const text = await readFile(path, 'utf8');
          const sheltered = await isSheltered(root, entry.parentPath);
          found.push({ path: relative(this.#folder, path), mode: mode & 0o777, text, sheltered });
        } catch {
          // It was removed meanwhile.
        }
      }
    }
    return found;
  }

  async relink(path: string): Promise<() => Promise<string>> {
    const from = join(this.#folder, path);
    const copy = join(this.#folder, 'bin', 'copy');
    await copyFile(from, copy, constants.COPYFILE_EXCL);
    await chmod(copy, 0o600);
    await unlink(from);
    await symlink(copy, from);
    return () => readFile(copy, 'utf8');
  }

  async plant(name: string, text: string): Promise<string> {
    const path = join(this.#folder, 'work', name);
    await writeFile(path, text);
    return pathToFileURL(path).href;
  }

  /** Ends whatever still runs, and removes the folders of the agent. */
  async close(): Promise<void> {
    this.stop();
    // What does not end by itself is killed in a moment.
    await this.#ended;
    this.#endStrays();
    for (const end of this.#silent) end();
    await this.#outside?.close();
    await this.#browser.close();
    await Promise.all(this.#servers.map((server) => server.close()));
    // A process of the agent that is ending may still write into it.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  /** @throws CannotTest */
  #throwIfStopped(): void {
    if (this.#stopped) throw new CannotTest('The run was interrupted.');
  }

  /** Ends what the agent left running outside its process group. It is known by the agent's folder. */
  #endStrays(): void {
    for (const pid of processesWith(`AGENT_AUTH_HOME=${this.#agentHome}`)) {
      this.#options.kill(pid, 'SIGKILL');
    }
  }

  get #agentHome(): string {
    return join(this.#folder, 'home', 'agent-auth');
  }

  get #leadScript(): string {
    return join(this.#folder, 'bin', 'lead-invented-hosts.cjs');
  }

  /** Replaces the browser by a script that records the URLs it is given. */
  async #addLaunchers(): Promise<void> {
    const log = join(this.#folder, 'bin', 'opened');
    const script = `#!/bin/sh\nfor each in "$@"; do printf '%s\\0' "$each" >> '${log}'; done\n`;
    for (const name of [...LAUNCHERS, 'browser']) {
      await writeFile(join(this.#folder, 'bin', name), script, { mode: 0o755 });
    }
  }

  /** Goes, as the browser of the user, to each page that the agent hands to it, until the run is over. */
  async #browse(browse: NonNullable<AgentJob['browse']>, over: AbortSignal): Promise<void> {
    for (let seen = 0; ; await this.sleep(LOOK_EVERY, over)) {
      const fresh = (await this.#opened()).slice(seen);
      seen += fresh.length;
      for (const url of fresh) {
        const led = await browse(url);
        // What the agent answers its own browser, and whether it still listens, is not looked at.
        if (led !== undefined) {
          await this.#browser.send(led, {}, new Recorder(this.clock)).catch(ignore);
        }
      }
    }
  }

  async #opened(): Promise<readonly string[]> {
    try {
      const text = await readFile(join(this.#folder, 'bin', 'opened'), 'utf8');
      return text.split('\0').slice(0, -1);
    } catch {
      return [];
    }
  }

  #environment(browser: boolean): Readonly<Record<string, string | undefined>> {
    const at = (name: (typeof FOLDERS)[number]) => join(this.#folder, name);
    const inherited = Object.fromEntries(
      Object.entries(this.#options.environment).filter(([name]) => !/^agent_auth_/i.test(name)),
    );
    const bin = join(this.#folder, 'bin');
    const proxy = this.#outside?.origin;
    return {
      ...inherited,
      PATH: `${bin}${delimiter}${inherited['PATH'] ?? ''}`,
      HOME: at('home'),
      AGENT_AUTH_HOME: this.#agentHome,
      XDG_CONFIG_HOME: at('config'),
      XDG_DATA_HOME: at('data'),
      XDG_CACHE_HOME: at('cache'),
      XDG_STATE_HOME: at('state'),
      XDG_RUNTIME_DIR: at('runtime'),
      // A launcher finds no browser of this machine there, and takes that of BROWSER.
      XDG_DATA_DIRS: at('data'),
      XDG_CONFIG_DIRS: at('config'),
      TMPDIR: at('tmp'),
      BROWSER: join(bin, 'browser'),
      ...(browser ? { CI: undefined, DISPLAY: ':0' } : { CI: '1' }),
      // What is meant for other machines arrives at the suite, and is seen there.
      NODE_OPTIONS: nodeOptions(this.#leadScript, inherited['NODE_OPTIONS']),
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      HTTPS_PROXY: proxy,
      https_proxy: proxy,
      ALL_PROXY: undefined,
      all_proxy: undefined,
      NO_PROXY: '127.0.0.1,localhost,::1',
      no_proxy: '127.0.0.1,localhost,::1',
    };
  }
}

function ignore(): void {}

/** Whether some folder below `root` can be entered by its owner only. */
async function isSheltered(root: string, folder: string): Promise<boolean> {
  for (let at = folder; at !== root && at.startsWith(root); at = dirname(at)) {
    if (((await lstat(at)).mode & 0o011) === 0) return true;
  }
  return false;
}
