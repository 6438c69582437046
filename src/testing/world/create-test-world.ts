import { openDatabase } from '../../mock-service/index.ts';
import {
  FakeClock,
  type Fetch,
  NetworkError,
  SeededRandom,
  type Sleep,
} from '../../runtime/index.ts';
import { createMockProvider } from '../create-mock-provider.ts';
import { createMockService } from '../create-mock-service.ts';
import { PollWatch } from './poll-watch.ts';
import { refuseWorld } from './refuse-world.ts';
import { TestClock } from './test-clock.ts';
import { type TestFetch, TestNetwork } from './test-network.ts';
import { TestWorld } from './test-world.ts';
import { providerOptions, serviceOptions } from './world-clients.ts';
import type { TestWorldOptions } from './world-options.ts';

/**
 * A service, a provider, an agent and a user in this process, without a socket, on a clock that stands still unless
 * it is moved:
 *
 * ```ts
 * const { agent, service, user } = await createTestWorld();
 * ```
 *
 * Nothing has to be closed; `close` frees the memory at once, and lets nobody answer any more.
 * @throws TypeError when an option is wrong.
 */
export async function createTestWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  refuseWorld(options);
  const clock = new TestClock(options.clock ?? new FakeClock());
  const network = new TestNetwork();
  const watch = new PollWatch();
  const random = options.random ?? new SeededRandom();
  const serviceIssuer = options.service?.baseUrl ?? 'https://service.example';
  const db = await openDatabase();
  const port: Fetch = (url, init) => network.fetch(url, { ...init, redirect: 'manual' });
  const close = async () => {
    network.close();
    await db.close();
  };
  try {
    const common = { random, clock, db, fetch: port };
    const delay: Sleep = async (ms) => clock.advance(ms);
    const provider = watch.watched(
      'provider',
      await createMockProvider({ delay, ...providerOptions(options, options.provider), ...common }),
    );
    const service = watch.watched(
      'service',
      await createMockService({
        delay,
        trust: [{ issuer: provider.issuer }],
        ...serviceOptions(options, serviceIssuer, options.service),
        ...common,
      }),
    );
    for (const app of [service, provider, ...(options.apps ?? [])]) network.add(app);
    const closeAll = async () => {
      await provider.close();
      await close();
    };
    const fetch: TestFetch = (input, init) =>
      asGlobal(network.fetch(input, init), (error) => watch.forget(error));
    return new TestWorld({
      ...{ service, provider, clock, fetch, port, watch, random, options, close: closeAll },
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rejects as the global `fetch` does, where there is no answer: with a TypeError. */
async function asGlobal(
  sent: Promise<Response>,
  told: (error: unknown) => void,
): Promise<Response> {
  try {
    return await sent;
  } catch (error) {
    told(error);
    if (!(error instanceof NetworkError)) throw error;
    throw new TypeError(error.message, { cause: error });
  }
}
