import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { splitCommands } from './split-commands.ts';
import type { PagePorts } from './stand-in.ts';
import { approve, waitsForUser } from './user.ts';
import type { Workspace } from './workspace.ts';

/** A limit for what hangs, not for what is slow. Milliseconds. */
const LIMIT = 150_000;
/** What a program says that stays until it is stopped. */
const READY =
  /Press Ctrl-C to stop|\b(listening|ready|running) (on|at) http|"schema":"agent-auth\.[a-z-]*ready/i;

/** What a command printed. */
export interface Printed {
  readonly all: string;
  readonly stdout: string;
}

/** A program that runs in another terminal. */
interface Running extends Printed {
  readonly command: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number>;
  /** Resolves when it prints more. */
  readonly more: () => Promise<void>;
  /** It is left running, and hangs no more than its page does. */
  readonly stay: () => void;
}

/** Somebody who follows a page from its top: a folder, a home and terminals of their own. */
export class Reader {
  readonly folder: string;
  readonly #home: string;
  readonly #workspace: Workspace;
  readonly #ports: PagePorts;
  /** What this reader has started, until it has ended. */
  readonly #alive = new Set<Running>();
  readonly #running: Running[] = [];
  readonly #stopped: Running[] = [];

  constructor(page: string, workspace: Workspace, ports: PagePorts) {
    this.#workspace = workspace;
    this.#ports = ports;
    this.folder = workspace.folderFor(page, (text) => ports.inFile(text));
    this.#home = `${this.folder}.home`;
    mkdirSync(join(this.#home, 'run'), { recursive: true, mode: 0o700 });
  }

  /** What the programs that stay have printed so far, those that were stopped too. */
  get elsewhere(): readonly string[] {
    return [...this.#running, ...this.#stopped].map(({ all }) => all);
  }

  /**
   * Types a block, a command after the other, and waits for each; one that stays is left running.
   * @param isRun whether a command is run at all.
   * @throws Error where a command ends otherwise than its comment says (`# exit 1`), or hangs.
   */
  async type(script: string, isRun: (command: string) => boolean = () => true): Promise<Printed> {
    let all = '';
    let stdout = '';
    let stays: string | undefined;
    rmSync(this.#state, { force: true });
    for (const command of splitCommands(script)) {
      if (!isRun(command)) continue;
      const before = this.#running.at(-1);
      if (stays !== undefined) {
        throw new Error(`What follows needs another terminal, for this stays in its own: ${stays}`);
      }
      const printed = await this.#run(command);
      const last = this.#running.at(-1);
      if (last !== before) stays = last?.command;
      all += `${printed.all}\n`;
      stdout += `${printed.stdout}\n`;
    }
    return { all, stdout };
  }

  /** Ctrl-C for the program that was started last, of those that are called so: the service, the proxy. */
  async interrupt(name = ''): Promise<void> {
    const last = this.#running.findLast(({ command }) => command.includes(name));
    if (last === undefined) throw new Error('Nothing runs that Ctrl-C could stop.');
    await this.#stop(last);
  }

  async leave(): Promise<void> {
    for (const each of [...this.#running]) await this.#stop(each);
    for (const { child } of this.#alive) kill(child, 'SIGKILL');
    await Promise.all([...this.#alive].map(({ ended }) => ended));
  }

  async #run(command: string): Promise<Printed> {
    if (this.#ports.needsStandIn(command) && !this.#isRunning(STAND_IN))
      await this.#start(STAND_IN);
    for (const each of this.#running.filter(({ command: other }) => replaces(command, other))) {
      await this.#stop(each);
    }
    return this.#start(command);
  }

  async #start(command: string): Promise<Printed> {
    const running = this.#spawn(command);
    this.#alive.add(running);
    void running.ended.then(() => this.#alive.delete(running));
    const isOver = await this.#goesOn(running);
    if (!isOver) {
      running.stay();
      this.#running.push(running);
      return running;
    }
    const code = await running.ended;
    const [, expected = '0'] = /# .*?\bexits?(?: code| with)? (\d+)/.exec(command) ?? [];
    if (code !== Number(expected)) {
      throw new Error(`exit ${code}, not ${expected}: ${command}\n${running.all}`);
    }
    return running;
  }

  /** Waits until a program has ended, or is ready and stays. Plays the user where it waits for one. */
  async #goesOn(running: Running): Promise<boolean> {
    let hasUser = false;
    for (;;) {
      const over = await Promise.race([
        running.ended.then(() => true),
        running.more().then(() => false),
      ]);
      if (over) return true;
      if (READY.test(running.all)) return false;
      const page = hasUser ? undefined : waitsForUser(running);
      if (page !== undefined) {
        hasUser = true;
        await approve(page, (url) => this.#ports.there(url));
      }
    }
  }

  #spawn(command: string): Running {
    // The examples of the package, as this page has them: with its ports.
    const typed = command.replaceAll(
      'node_modules/agent-auth/docs/examples',
      `${this.folder}/docs/examples`,
    );
    const script = `[ -e "$READER_STATE" ] && . "$READER_STATE"
${this.#ports.there(typed)}
reader_code=$?
{ ${assigned(command)} echo "cd $(printf %q "$PWD")"; } >>"$READER_STATE"
exit $reader_code`;
    const child = spawn('bash', ['-c', script], {
      cwd: this.folder,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#workspace.watchdog.watch(child);
    const texts = { all: '', stdout: '' };
    // What comes while nobody waits, as while the user is played, is told to whoever waits next.
    let isTold = true;
    let tell = () => {};
    let from = '';
    const keep = (stream: string, chunk: string) => {
      // An answer without a last line end, and then an error: two lines to whoever reads it.
      const isCut = from !== '' && from !== stream && !texts.all.endsWith('\n');
      texts.all += `${isCut ? '\n' : ''}${this.#shown(chunk)}`;
      from = stream;
      isTold = false;
      tell();
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      texts.stdout += this.#shown(chunk);
      keep('stdout', chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => keep('stderr', chunk));
    const limit = setTimeout(() => kill(child, 'SIGKILL'), LIMIT);
    const ended = new Promise<number>((resolve) => {
      child.once('close', (code) => {
        clearTimeout(limit);
        resolve(code ?? -1);
      });
    });
    return {
      command,
      child,
      ended,
      more: () =>
        new Promise((resolve) => {
          tell = () => {
            isTold = true;
            tell = () => {};
            resolve();
          };
          if (!isTold) tell();
        }),
      stay: () => clearTimeout(limit),
      get all() {
        return texts.all;
      },
      get stdout() {
        return texts.stdout;
      },
    };
  }

  async #stop(running: Running): Promise<void> {
    this.#running.splice(this.#running.indexOf(running), 1);
    this.#stopped.push(running);
    kill(running.child, 'SIGINT');
    await running.ended;
  }

  #isRunning(command: string): boolean {
    return this.#running.some((each) => each.command === command);
  }

  get #state(): string {
    return join(this.#home, 'state.sh');
  }

  #environment(): Record<string, string> {
    return {
      PATH: `${this.#workspace.shims}:${process.env['PATH'] ?? ''}`,
      HOME: this.#home,
      XDG_RUNTIME_DIR: join(this.#home, 'run'),
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      READER_NODE: process.execPath,
      READER_STATE: this.#state,
      READER_SERVICE_PORT: String(this.#ports.real('4800')),
      READER_PROVIDER_PORT: String(this.#ports.real('4801')),
      READER_PROXY_PORT: String(this.#ports.real('4840')),
    };
  }

  /** As the page would show it: with its ports, and no folder of this machine. */
  #shown(text: string): string {
    const { folder } = this.#workspace;
    return this.#ports
      .back(text)
      .replaceAll(`${this.#home}/`, '~/')
      .replaceAll(`${this.folder}/`, '')
      .replaceAll(this.folder, '.')
      .replaceAll(`${folder}/`, '');
  }
}

/** Both mocks, where the page names servers of others. */
const STAND_IN = [
  'agent-auth mock up --port 4700 --lifetime interval=1s',
  '--trust http://127.0.0.1:4899 --trust http://127.0.0.1:4899/other',
  "--protect 'GET /api/resource=api.read' --protect 'POST /api/resource=api.write'",
  "--protect 'POST /api/notes=api.write'",
].join(' ');

/** A server at the port of one before it: whoever starts it has stopped that one. */
function replaces(command: string, running: string): boolean {
  const kind = serverOf(command);
  const before = serverOf(running);
  if (running === STAND_IN || kind === undefined || before === undefined) return false;
  return (
    kind === before || (kind !== 'proxy' && before !== 'proxy' && [kind, before].includes('up'))
  );
}

function serverOf(command: string): string | undefined {
  const [, server] = /\bagent-auth (?:mock (up|service|provider)|(?:proxy) --)/.exec(command) ?? [];
  return server ?? (/\bagent-auth proxy --/.test(command) ? 'proxy' : undefined);
}

/** Declares again what a command set, for the next one. */
function assigned(command: string): string {
  const names = [...command.matchAll(/(?:^|[\n;])\s*(?:export\s+)?([A-Za-z_]\w*)=/g)];
  return names.map(([, name = '']) => `declare -p ${name} 2>/dev/null;`).join(' ');
}

/** A program and what it has started. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
