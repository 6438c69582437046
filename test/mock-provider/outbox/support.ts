import {
  type Fetch,
  type FetchInit,
  NetworkError,
  type Sleep,
} from '../../../src/runtime/index.ts';
import { SERVICE } from '../harness.ts';

export const EVENT = 'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';
const METADATA = `${SERVICE}/.well-known/oauth-authorization-server`;
const EVENTS = `${SERVICE}/agent/event/notify`;

type Reply = () => Response | Promise<Response>;

export function metadata(over: object = {}, agentAuth: object = {}): object {
  return {
    issuer: SERVICE,
    token_endpoint: `${SERVICE}/oauth2/token`,
    ...over,
    agent_auth: {
      identity_endpoint: `${SERVICE}/agent/identity`,
      events_endpoint: EVENTS,
      events_supported: ['https://schemas.vendor.example/events/other', EVENT],
      ...agentAuth,
    },
  };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export const refusedConnection: Reply = () => {
  throw new NetworkError('refused', 'Nothing listens there.');
};

/** A service as far as events go: what it answers is the test's choice, what it got is kept. */
export class Receiver {
  onMetadata: Reply = () => json(metadata());
  onEvent: Reply = () => new Response(null, { status: 202 });
  readonly requests: { readonly url: string; readonly init: FetchInit }[] = [];

  readonly fetch: Fetch = async (url, init = {}) => {
    this.requests.push({ url, init });
    if (url === METADATA) return this.onMetadata();
    if (url === EVENTS) return this.onEvent();
    throw new NetworkError('not_found', `Nobody should ask ${url}.`);
  };

  /** The tokens that were pushed, in order. */
  get events(): readonly string[] {
    return this.requests.flatMap(({ init, url }) => (url === EVENTS ? [String(init.body)] : []));
  }

  get lastPush(): FetchInit {
    return this.requests.findLast(({ url }) => url === EVENTS)?.init ?? {};
  }
}

/** Sleeps until it is told that enough time has passed. */
export class ManualSleep {
  #sleepers: { readonly ms: number; readonly wake: () => void }[] = [];

  readonly sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const sleeper = { ms, wake: resolve };
      const leave = () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
      };
      signal?.addEventListener(
        'abort',
        () => {
          leave();
          reject(signal.reason);
        },
        { once: true },
      );
      if (signal?.aborted) reject(signal.reason);
      else this.#sleepers.push(sleeper);
    });

  get waits(): readonly number[] {
    return this.#sleepers.map(({ ms }) => ms);
  }

  /** Wakes whoever sleeps for this long. */
  pass(ms: number): void {
    const woken = this.#sleepers.filter((one) => one.ms === ms);
    this.#sleepers = this.#sleepers.filter((one) => one.ms !== ms);
    for (const { wake } of woken) wake();
  }
}

/** Lets everything happen that waits for nothing outside. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
