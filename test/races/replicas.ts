import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { MockServiceOptions } from '../../src/mock-service/index.ts';
import { BASE, type Json } from '../mock-service/harness.ts';

/** Where a store is, as `openDatabase` takes it; neither: in the memory of each process. */
export interface StorePlace {
  readonly file?: string;
  readonly address?: string;
  readonly busyTimeout?: number;
}

interface ServiceOptions extends Pick<MockServiceOptions, 'dialect' | 'rateLimit' | 'trust'> {
  /** Names of the mock's, or of `broken.js`. */
  readonly faults?: readonly string[];
}

/** Options of a mock service, or a mock provider with its defaults. */
export interface ServiceSettings {
  /** One of {@link ReplicaSettings.stores}. */
  readonly store: string;
  /** A clock that moves by its control alone. Milliseconds. */
  readonly isFrozenAt?: number;
  readonly options: ServiceOptions | 'provider';
}

/** What each process is told. */
export interface ReplicaSettings {
  readonly baseUrl: string;
  readonly controlToken: string;
  readonly jwks: unknown;
  readonly stores: Readonly<Record<string, StorePlace>>;
  readonly services: Readonly<Record<string, ServiceSettings>>;
}

export interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Json;
}

const REPLICA = join(import.meta.dirname, 'replica.js');
const CONTROL_TOKEN = 'ctl_for-tests-alone-0123456789';
/** As many requests are on their way at once, over all replicas. */
const CONNECTIONS = 100;
/** A store that another process holds for too long is answered with 503: the caller comes again. */
const TRIES = 200;

export class Replicas {
  /** How many answers were 503, and asked for again. */
  busy = 0;
  readonly #children: readonly ChildProcess[];
  readonly #pools: ReadonlyMap<string, readonly Pool[]>;
  #turn = 0;

  private constructor(children: readonly ChildProcess[], origins: readonly Origins[]) {
    this.#children = children;
    const connections = Math.ceil(CONNECTIONS / children.length);
    const names = Object.keys(origins[0] ?? {});
    this.#pools = new Map(
      names.map((name) => [
        name,
        origins.map((each) => new Pool(each[name] ?? '', { connections })),
      ]),
    );
  }

  /** Starts so many processes, one after the other: the first one makes the tables. */
  static async start(
    count: number,
    settings: Omit<ReplicaSettings, 'baseUrl' | 'controlToken'>,
  ): Promise<Replicas> {
    const children: ChildProcess[] = [];
    const origins: Origins[] = [];
    while (children.length < count) {
      const child = fork(REPLICA, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      children.push(child);
      child.send({ baseUrl: BASE, controlToken: CONTROL_TOKEN, ...settings });
      origins.push(await originsOf(child));
    }
    return new Replicas(children, origins);
  }

  /** One request, to whichever process has its turn; again while that one is busy. */
  async send(service: string, sent: Sent): Promise<Received> {
    for (let tries = 1; ; tries += 1) {
      const received = await this.sendOnce(service, sent);
      if (received.status !== 503 || tries >= TRIES) return received;
      this.busy += 1;
    }
  }

  async sendOnce(
    service: string,
    { method = 'GET', path, headers, body }: Sent,
  ): Promise<Received> {
    const pools = this.#pools.get(service) ?? [];
    this.#turn += 1;
    const pool = pools[this.#turn % pools.length];
    if (pool === undefined) throw new Error(`There is no service ${service}.`);
    const answer = await pool.request({
      method,
      path,
      ...(headers && { headers }),
      body: body ?? null,
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: isJson ? (JSON.parse(text) as Json) : {},
    };
  }

  /** A control, `/__mock` left out. */
  async control(service: string, path: string, body?: object): Promise<Json> {
    const authorization = `Bearer ${CONTROL_TOKEN}`;
    const sent: Sent = body
      ? {
          method: 'POST',
          path: `/__mock${path}`,
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
      : { path: `/__mock${path}`, headers: { authorization } };
    const { body: answer, status, text } = await this.send(service, sent);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return answer;
  }

  /** At once, whatever they are doing. */
  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.kill();
    await Promise.all(this.#children.map(ended));
    await Promise.all([...this.#pools.values()].flat().map((pool) => pool.destroy()));
  }
}

type Origins = Readonly<Record<string, string>>;

function originsOf(child: ChildProcess): Promise<Origins> {
  return new Promise((resolve, reject) => {
    child.once('message', ({ failed, origins }: { failed?: string; origins?: Origins }) => {
      if (origins) resolve(origins);
      else reject(new Error(failed));
    });
    child.once('exit', () => reject(new Error('A replica ended before it listened.')));
  });
}

function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', resolve));
}
