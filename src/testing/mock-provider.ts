import type { ConnectGuard, Fetch } from '../runtime/index.ts';

export * from '../mock-provider/index.ts';
export { createMockProvider, type MockProviderOptions } from './create-mock-provider.ts';

/**
 * A fetch that asks `guard` about each IP address, given or resolved, and connects to one that it let pass. For
 * `guardedFetch` of a provider that others can reach. Behind a proxy (HTTPS_PROXY), which resolves names
 * itself, it is asked about given ones alone.
 */
export function systemGuardedFetch(guard: ConnectGuard): Fetch {
  let loading: Promise<Fetch> | undefined;
  // Most tests never call it: undici is loaded by those that do.
  return async (url, init) => {
    loading ??= import('../runtime/system-fetch.ts').then(({ createSystemFetch }) =>
      createSystemFetch({ guard }),
    );
    return (await loading)(url, init);
  };
}
