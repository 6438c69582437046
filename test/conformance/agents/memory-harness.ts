import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  AgentFile,
  AgentJob,
  AgentRun,
  Handler,
  Harness,
  HostOptions,
} from '../../../src/conformance/index.ts';
import { ConnectionDropped } from '../../../src/mock-service/index.ts';
import { FakeClock, NetworkError, SeededRandom, type Sleep } from '../../../src/runtime/index.ts';

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds without an answer. Without it, it waits for ever. */
  readonly timeout?: number;
  /** Whether that is for the body too. Default: `whole`. */
  readonly bodyLimit?: 'whole' | 'each byte' | 'none';
  readonly anyCertificate?: boolean;
}

/** What an agent of the tests may touch. */
export interface Tools {
  readonly variables: Readonly<Record<string, string>>;
  readonly clock: FakeClock;
  readonly sleep: Sleep;
  send(url: string, options?: SendOptions): Promise<Response>;
  say(text: string): void;
  warn(text: string): void;
  /** Resolves to where on this machine the user's browser was led, once it has gone there. */
  open(url: string): Promise<string | undefined>;
  /** A page of the agent on this machine, and what its browser was led there with. */
  listen(): Promise<{ readonly redirect: string; readonly led: () => URL | undefined }>;
  shell(line: string): void;
  spawn(...args: readonly string[]): void;
  read(path: string): string | undefined;
  write(path: string, text: string, mode: number, followLinks: boolean): void;
}

export type InProcessAgent = (tools: Tools) => Promise<number>;

class NeverAnswers extends Error {}
class Killed extends Error {}

let nextPort = 20_000;

/** Servers, files and processes of a test: nothing but a shell leaves this process, and nothing waits. */
export class MemoryHarness implements Harness {
  readonly clock = new FakeClock();
  readonly random = new SeededRandom(7);
  readonly #agent: InProcessAgent;
  readonly #servers = new Map<string, { handler: Handler; untrusted: boolean }>();
  readonly #files = new Map<string, AgentFile>();
  readonly #links = new Map<string, string>();
  readonly #secureHosts: string[] = [];
  #elsewhere: Handler = async () => new Response(null, { status: 404 });
  #deadline = Number.POSITIVE_INFINITY;
  #stopped = false;
  #ended: string | undefined;

  constructor(agent: InProcessAgent) {
    this.#agent = agent;
  }

  readonly sleep: Sleep = async (ms) => {
    this.clock.advance(Math.max(0, ms));
    this.#check();
  };

  async host(
    build: (origin: string) => Promise<Handler>,
    { untrusted = false }: HostOptions = {},
  ): Promise<string> {
    nextPort += 1;
    const origin = `${untrusted ? 'https' : 'http'}://127.0.0.1:${nextPort}`;
    this.#servers.set(origin, { handler: await build(origin), untrusted });
    return origin;
  }

  async elsewhere(handler: Handler): Promise<void> {
    this.#elsewhere = handler;
  }

  secureHosts(): readonly string[] {
    return this.#secureHosts;
  }

  async silence(): Promise<never> {
    throw new NeverAnswers();
  }

  endRun(why: string): void {
    this.#ended = why;
  }

  stop(): void {
    this.#stopped = true;
  }

  async forget(): Promise<void> {
    this.#files.clear();
    this.#links.clear();
  }

  async run({ variables, limit, browse }: AgentJob): Promise<AgentRun> {
    const out: string[] = [];
    const err: string[] = [];
    const opened: string[] = [];
    const argv: string[][] = [['agent']];
    this.#deadline = this.clock.now() + limit;
    this.#ended = undefined;
    let exitCode: number | null = null;
    let killed = false;
    try {
      exitCode = await this.#agent({
        variables,
        clock: this.clock,
        sleep: this.sleep,
        send: (url, options) => this.#send(url, options),
        say: (text) => out.push(text),
        warn: (text) => err.push(text),
        open: async (url) => {
          opened.push(url);
          const led = await browse?.(url);
          if (led !== undefined)
            await this.#servers.get(new URL(led).origin)?.handler(new Request(led));
          return led;
        },
        listen: () => this.#listen(),
        shell: (line) => this.#shell(line),
        spawn: (...args) => argv.push([...args]),
        read: (path) => this.#files.get(this.#links.get(path) ?? path)?.text,
        write: (path, text, mode, followLinks) => {
          const link = this.#links.get(path);
          if (!followLinks) this.#links.delete(path);
          const target = followLinks ? (link ?? path) : path;
          this.#files.set(target, { path: target, text, mode });
        },
      });
    } catch (error) {
      killed = error instanceof Killed;
      // As a runtime would: a message, and an exit code; or a signal, when the stack is gone.
      if (!killed && !(error instanceof RangeError)) exitCode = 1;
      if (!killed) err.push(String(error));
    } finally {
      this.#deadline = Number.POSITIVE_INFINITY;
    }
    const killedFor = killed ? (this.#ended ?? 'had not ended in time') : undefined;
    return {
      exitCode,
      killed,
      killedFor,
      stdout: out.join('\n'),
      stderr: err.join('\n'),
      argv,
      opened,
    };
  }

  async #listen(): Promise<{ redirect: string; led: () => URL | undefined }> {
    let led: URL | undefined;
    const origin = await this.host(async () => async ({ url }) => {
      led = new URL(url);
      return new Response('Done.');
    });
    return { redirect: `${origin}/callback`, led: () => led };
  }

  async files(): Promise<readonly AgentFile[]> {
    return [...this.#files.values()].filter(({ path }) => !path.startsWith('copy/'));
  }

  async relink(path: string): Promise<() => Promise<string>> {
    const file = this.#files.get(path);
    if (file === undefined) throw new Error(`There is no file ${path}.`);
    const copy = `copy/${path}`;
    this.#files.set(copy, { ...file, path: copy });
    this.#files.delete(path);
    this.#links.set(path, copy);
    return async () => this.#files.get(copy)?.text ?? '';
  }

  async plant(name: string, text: string): Promise<string> {
    const path = `work/${name}`;
    this.#files.set(path, { path, text, mode: 0o644 });
    return `file:///${path}`;
  }

  async close(): Promise<void> {
    this.stop();
  }

  #check(): void {
    if (this.#stopped || this.#ended !== undefined || this.clock.now() > this.#deadline)
      throw new Killed();
  }

  #shell(line: string): void {
    const folder = mkdtempSync(join(tmpdir(), 'agent-auth-shell-'));
    try {
      // Without a PATH it can do no more than the shell itself does.
      spawnSync('/bin/sh', ['-c', line], {
        cwd: folder,
        env: {},
        timeout: 5_000,
        killSignal: 'SIGKILL',
      });
      for (const name of readdirSync(folder)) {
        this.#files.set(`work/${name}`, { path: `work/${name}`, text: '', mode: 0o644 });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async #send(url: string, options: SendOptions = {}): Promise<Response> {
    this.#check();
    const { protocol, hostname, origin } = new URL(url);
    const server = this.#servers.get(origin);
    const isLocal = hostname === '127.0.0.1';
    if (server === undefined && protocol === 'https:') this.#secureHosts.push(hostname);
    if (server === undefined && (protocol !== 'http:' || isLocal)) {
      throw new NetworkError('refused', 'Nothing listens there.');
    }
    if (server?.untrusted === true && options.anyCertificate !== true) {
      throw new NetworkError('tls', 'The certificate is not trusted.');
    }
    const { method = 'GET', headers = {}, body } = options;
    const request = new Request(url, {
      method,
      headers: rawHeaders(headers),
      ...(body !== undefined && { body }),
    });
    const began = this.clock.now();
    try {
      const answer = await (server?.handler ?? this.#elsewhere)(request);
      this.#check();
      const response = this.#withSlowBody(answer, options, began);
      if (response.headers.get('content-encoding') !== 'gzip' || response.body === null) {
        return response;
      }
      const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
      return new Response(unpacked, { status: response.status, headers: response.headers });
    } catch (error) {
      this.#check();
      if (error instanceof ConnectionDropped) throw new NetworkError('reset', 'It broke off.');
      if (!(error instanceof NeverAnswers)) throw error;
      return this.#waitInVain(options.timeout);
    }
  }

  /** Waits for so long, or until the run is killed. */
  #waitInVain(timeout: number | undefined): never {
    this.clock.advance(timeout ?? this.#deadline - this.clock.now() + 1);
    this.#check();
    throw new NetworkError('timeout', 'No answer came.');
  }

  /** The same answer; whoever reads it waits as its sender has it wait, as long as it reads. */
  #withSlowBody(answer: Response, options: SendOptions, began: number): Response {
    const { timeout = Number.POSITIVE_INFINITY, bodyLimit = 'whole' } = options;
    const reader = answer.body?.getReader();
    if (reader === undefined) return answer;
    const limit = bodyLimit === 'none' ? undefined : options.timeout;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const isLate = this.clock.now() - began > timeout && bodyLimit === 'whole';
          try {
            if (isLate) throw new NetworkError('timeout', 'The answer did not end.');
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            if (error instanceof NeverAnswers) this.#waitInVain(limit);
            throw error;
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { status: answer.status, headers: answer.headers });
  }
}

/** As they would arrive when they were written to a socket: a line break makes another header. */
function rawHeaders(headers: Readonly<Record<string, string>>): Headers {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    `${name}: ${value}`.split('\r\n').map((line): [string, string] => {
      const [key = '', ...rest] = line.split(': ');
      return [key, rest.join(': ')];
    }),
  );
  return new Headers(lines);
}
