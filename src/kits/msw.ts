import { type HttpHandler, http } from 'msw';

/** Anything that answers for one origin: both mocks do. */
export interface MountedApp {
  readonly issuer: string;
  fetch(request: Request): Promise<Response>;
}

/**
 * MSW handlers that let mocks answer `globalThis.fetch` in other people's tests:
 *
 * ```ts
 * const server = setupServer(...mswHandlers(service, provider));
 * ```
 *
 * MSW does not see `undici.fetch`.
 */
export function mswHandlers(...apps: readonly MountedApp[]): HttpHandler[] {
  return apps.map(({ fetch, issuer }) => http.all(`${issuer}/*`, ({ request }) => fetch(request)));
}
