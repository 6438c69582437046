import {
  type Clock,
  type Fetch,
  type Log,
  limitFetch,
  type Random,
  type Sleep,
  silentLog,
  systemClock,
  systemFetch,
  systemRandom,
  systemSleep,
} from '../runtime/index.ts';

/** What either mock has to be given. */
interface MockGivens {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly fetch: Fetch;
  readonly log: Log;
  readonly delay?: Sleep;
}

/** The givens, with the system's where one is missing. */
export function mockDefaults(baseUrl: string, given: Partial<MockGivens>): MockGivens {
  return {
    baseUrl: given.baseUrl ?? baseUrl,
    clock: given.clock ?? systemClock,
    random: given.random ?? systemRandom,
    fetch: given.fetch ?? limitFetch(systemFetch),
    log: given.log ?? silentLog,
    delay: given.delay ?? systemSleep,
  };
}
