import {
  createMockProvider as createProvider,
  type MockProvider,
  type MockProviderOptions as ProviderOptions,
} from '../mock-provider/index.ts';
import { mockDefaults } from './mock-defaults.ts';
import { PROVIDER_OPTIONS } from './mock-options.ts';
import { refuseOptions } from './refuse-options.ts';

/**
 * The options of the mock, of which what it is made of may be left out: `baseUrl` is `https://provider.example`,
 * `clock` and `random` are the system's, `fetch` is the global one, looked up at each call, with a time limit, and
 * nothing is logged. `sleep` has no default: without it, `outbox.deliverDue()` repeats deliveries that failed.
 */
export interface MockProviderOptions extends Partial<ProviderOptions> {}

/**
 * An agent provider, in this process: signs users in by device code, asks for their consent, and mints
 * ID-JAGs.
 * @throws TypeError when an option is wrong, or there is none of that name; StoreOpenError when the database cannot be used.
 */
export async function createMockProvider(options: MockProviderOptions = {}): Promise<MockProvider> {
  refuseOptions(options, PROVIDER_OPTIONS);
  return createProvider({ ...options, ...mockDefaults('https://provider.example', options) });
}
