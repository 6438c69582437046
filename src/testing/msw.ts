import { type HttpHandler, HttpResponse, http } from 'msw';
import { ConnectionDropped } from '../mock-service/index.ts';

/** Anything that answers for one origin: both mocks do, and an application of yours. */
export interface MountedApp {
  /** The origin that it answers for. */
  readonly issuer: string;
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
}

/** A test world: its service, its provider, and what was added to it. */
export interface MountedWorld {
  readonly service: MountedApp;
  readonly provider: MountedApp;
  readonly apps: readonly MountedApp[];
}

/**
 * MSW handlers that let mocks, or a whole test world, answer `globalThis.fetch` in other people's tests:
 *
 * ```ts
 * const server = setupServer(...mswHandlers(world));
 * ```
 *
 * What throws `ConnectionDropped` (`agent-auth/mock-service`) is a network error. MSW does not see `undici.fetch`.
 * @throws TypeError for anything else.
 */
export function mswHandlers(...mounted: readonly (MountedApp | MountedWorld)[]): HttpHandler[] {
  const apps = mounted.flatMap((each) =>
    isWorld(each) ? [each.service, each.provider, ...each.apps] : [each],
  );
  if (!apps.every(isApp)) {
    throw new TypeError(
      'mswHandlers takes mocks, applications with an issuer and a fetch, or a test world: mswHandlers(service, provider).',
    );
  }
  return apps.map((app) =>
    http.all(`${app.issuer}/*`, async ({ request }) => {
      try {
        return await app.fetch(request);
      } catch (error) {
        if (error instanceof ConnectionDropped) return HttpResponse.error();
        throw error;
      }
    }),
  );
}

function isWorld(given: unknown): given is MountedWorld {
  return (
    isObject(given) && 'service' in given && 'provider' in given && Array.isArray(given['apps'])
  );
}

function isApp(given: unknown): given is MountedApp {
  return (
    isObject(given) && typeof given['issuer'] === 'string' && typeof given['fetch'] === 'function'
  );
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null;
}
