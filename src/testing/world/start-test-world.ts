import { openDatabase, type Served, serve } from '../../mock-service/index.ts';
import {
  type Fetch,
  limitFetch,
  randomToken,
  silentLog,
  systemClock,
  systemFetch,
  systemRandom,
} from '../../runtime/index.ts';
import { createMockProvider } from '../create-mock-provider.ts';
import { createMockService } from '../create-mock-service.ts';
import { PollWatch } from './poll-watch.ts';
import { refuseStarted } from './refuse-world.ts';
import { TestClock } from './test-clock.ts';
import { isRedirect, type TestApp, type TestFetch } from './test-network.ts';
import { TestWorld, type WorldParts } from './test-world.ts';
import { providerOptions, serviceOptions } from './world-clients.ts';
import type { StartTestWorldOptions } from './world-options.ts';

/** A test world over HTTP. */
export class StartedTestWorld extends TestWorld {
  /**
   * Opens the controls of both mocks at `/__mock` to other processes, as a bearer token: clock, faults, claims. What
   * they move is ahead of `clock`.
   */
  readonly controlToken: string;

  constructor(parts: WorldParts, controlToken: string) {
    super(parts);
    this.controlToken = controlToken;
  }
}

const HOST = '127.0.0.1';

/** @see startTestWorld of `agent-auth/testing` */
export async function startTestWorld(
  options: StartTestWorldOptions = {},
): Promise<StartedTestWorld> {
  refuseStarted(options);
  const { ports, provider: ofProvider, service: ofService } = options;
  const clock = new TestClock(options.clock ?? systemClock);
  const watch = new PollWatch();
  const random = options.random ?? systemRandom;
  const token = randomToken(systemRandom, '');
  const db = await openDatabase();
  const servers: Served[] = [];
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    for (const each of closers) await each();
    await db.close();
  };
  /** Binds first: the mock is made once its URL is known. */
  const start = async <Mock extends TestApp & { close(): Promise<void> }>(
    role: 'service' | 'provider',
    create: (given: Given) => Promise<Mock>,
  ): Promise<Mock> => {
    let mock: Mock | undefined;
    const served = await serve({
      host: HOST,
      port: ports?.[role] ?? 0,
      log: silentLog,
      build: async (baseUrl) => {
        const made = await create({ baseUrl, control: { token }, clock, random, db });
        mock = watch.watched(role, made);
        closers.push(made.close);
        const { fetch } = mock;
        return async (request) => fetch(request);
      },
    });
    servers.push(served);
    if (mock === undefined) throw new Error(`The ${role} was not built.`);
    return mock;
  };
  try {
    const provider = await start('provider', (given) =>
      createMockProvider({ ...providerOptions(options, ofProvider), ...given }),
    );
    const service = await start('service', (given) =>
      createMockService({
        trust: [{ issuer: provider.issuer }],
        ...serviceOptions(options, given.baseUrl, ofService),
        ...given,
      }),
    );
    const send = limitFetch(systemFetch);
    const port: Fetch = (url, init) => send(url, { ...init, redirect: 'manual' });
    const world = { service, provider, clock, random, watch, options, close };
    return new StartedTestWorld({ ...world, port, fetch: overNetwork }, token);
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the world sets for either mock. */
interface Given {
  readonly baseUrl: string;
  readonly control: { readonly token: string };
  readonly clock: TestClock;
  readonly random: typeof systemRandom;
  readonly db: Awaited<ReturnType<typeof openDatabase>>;
}

/** The global `fetch`, whatever stands in its place when it is called. */
const overNetwork: TestFetch = async (input, init) => {
  const { body, headers, method, redirect, signal, url } = new Request(input, init);
  const response = await systemFetch(url, {
    method,
    headers: Object.fromEntries(headers),
    signal,
    ...(body !== null && { body: new Uint8Array(await new Response(body).arrayBuffer()) }),
    ...(redirect !== 'follow' && { redirect: 'manual' }),
  });
  if (redirect === 'error' && isRedirect(response)) throw new TypeError('A redirect was refused.');
  return response;
};
