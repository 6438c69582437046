import type { FetchHandler } from '../../src/mock/http/app.ts';
import { createProxy, type ProxyOptions, type RunningProxy } from '../../src/proxy/index.ts';
import {
  type Clock,
  FakeClock,
  type Fetch,
  type Forward,
  MemoryLog,
  NetworkError,
  SeededRandom,
  systemSleep,
} from '../../src/runtime/index.ts';
import { ExchangeLog } from '../../src/traffic/index.ts';

/** Where the first port of the proxy is. */
export const LOCAL = 'http://127.0.0.1:4700';

export interface Harness {
  readonly proxy: RunningProxy;
  readonly exchanges: ExchangeLog;
  readonly log: MemoryLog;
  /** What the servers got, in order. */
  readonly received: Request[];
  /** From a client of this machine: to the proxy, else to a server itself. */
  readonly fetch: Fetch;
  /** The same with a request as it is. */
  readonly send: FetchHandler;
}

/** A proxy in front of servers of this process: no port, no TLS. */
export async function proxyTo(
  servers: Readonly<Record<string, FetchHandler>>,
  options: Partial<ProxyOptions> & { readonly to: string; readonly clock?: Clock },
): Promise<Harness> {
  const local = new Map<string, FetchHandler>();
  const received: Request[] = [];
  const exchanges = options.exchanges ?? new ExchangeLog();
  const log = new MemoryLog();
  const forward: Forward = async ({ body, headers, method, url }) => {
    const server = servers[new URL(url).origin];
    if (server === undefined) throw new NetworkError('refused', 'Nothing listens there.');
    const init = { body, headers, method, duplex: 'half' } as RequestInit;
    const request = new Request(url, init);
    received.push(request.clone());
    return server(request);
  };
  const proxy = await createProxy({
    host: '127.0.0.1',
    listen: async (build) => {
      const port = Number(new URL(LOCAL).port) + local.size;
      const origin = `http://127.0.0.1:${port}`;
      local.set(origin, await build(origin));
      return { origin, port, close: async () => void local.delete(origin) };
    },
    exchanges,
    forward,
    clock: new FakeClock(),
    sleep: systemSleep,
    random: new SeededRandom(5),
    log,
    ...options,
  });
  const send: FetchHandler = (request) => {
    const { origin, port } = new URL(request.url);
    const handler = local.get(origin) ?? local.get(`http://127.0.0.1:${port}`) ?? servers[origin];
    if (handler === undefined) throw new NetworkError('refused', `Nothing listens at ${origin}.`);
    return handler(request);
  };
  return {
    proxy,
    exchanges,
    log,
    received,
    send,
    fetch: async (url, init = {}) => {
      const { body, headers, method } = init;
      return send(
        new Request(url, {
          ...(method !== undefined && { method }),
          ...(headers !== undefined && { headers }),
          ...(body !== undefined && {
            body: typeof body === 'string' ? body : new Uint8Array(body),
          }),
        }),
      );
    },
  };
}
