import { KEY_FETCH_LIMIT } from '../mock-service/config/lifetimes.ts';
import {
  createMockService as createService,
  type MockService,
  type MockServiceOptions as ServiceOptions,
} from '../mock-service/index.ts';
import { limitFetch, systemFetch } from '../runtime/index.ts';
import { mockDefaults } from './mock-defaults.ts';
import { SERVICE_OPTIONS } from './mock-options.ts';
import { refuseOptions } from './refuse-options.ts';

/**
 * The options of the mock, of which what it is made of may be left out: `baseUrl` is `https://service.example`, `clock`
 * and `random` are the system's, `fetch` is the global one, looked up at each call, and nothing is logged. Each fetch
 * ends after 5 seconds, with a `fetch` of your own too.
 */
export interface MockServiceOptions extends Partial<ServiceOptions> {}

/**
 * The service side of agentic registration, in this process: discovery, registration, claim, tokens,
 * revocation, events and the pages of its user.
 * @throws TypeError when an option is wrong, or there is none of that name; StoreOpenError when the database cannot be used.
 */
export async function createMockService(options: MockServiceOptions = {}): Promise<MockService> {
  refuseOptions(options, SERVICE_OPTIONS);
  const { guardedFetch } = options;
  return createService({
    ...options,
    ...mockDefaults('https://service.example', options),
    fetch: limitFetch(options.fetch ?? systemFetch, KEY_FETCH_LIMIT),
    ...(guardedFetch && {
      guardedFetch: (guard) => limitFetch(guardedFetch(guard), KEY_FETCH_LIMIT),
    }),
  });
}
