import { rewire, type ServiceFault } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on } = rewire;

/** Where links for users are given out, and where they lead. */
const givesLinks = (path: string, { status }: Response) =>
  status < 400 && (path.startsWith('/agent/identity') || path.startsWith('/c/'));

/** Whoever believes a caller answers for every host. */
const anyHost: ServiceFault['config'] = (right) => ({ ...right, isOurHost: () => true });

/** By the host that a cache was poisoned with. */
const kept = new Map<string, string>();

/** The documents and the challenge, in which a service writes its own URLs. */
export const atOwnUrls = (path: string, response: Response) =>
  path.startsWith('/.well-known/oauth-') ||
  (path.startsWith('/api/resource') && response.status === 401);

/** The answer as a service gives it that builds its URLs from a host of the request. */
export async function asHost(
  response: Response,
  own: string,
  host: string | undefined,
): Promise<Response> {
  if (host === undefined) return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  const challenge = headers.get('www-authenticate');
  if (challenge !== null) headers.set('www-authenticate', challenge.replaceAll(own, host));
  const body = (await response.text()).replaceAll(own, host);
  return new Response(body, { status, headers });
}

/** The host that the right answer is made of: that of its first URL. */
export async function ownHost(response: Response): Promise<string> {
  const field = response.headers.get('www-authenticate') ?? (await response.clone().text());
  return /https?:\/\/([^/"\s]+)/.exec(field)?.[1] ?? 'no-host.invalid';
}

export function forwardedHost(request: Request): string | undefined {
  return request.headers.get('x-forwarded-host') ?? undefined;
}

/** Faults of whoever believes what a caller says of the host. */
export const FORWARDING_FAULTS = {
  trustedHost: {
    description: 'builds URLs from the Host header of the request (attack A-42)',
    config: anyHost,
    answers: on(atOwnUrls, async (response, request) =>
      asHost(response, await ownHost(response), new URL(request.url).host),
    ),
    fails: { 'hostile-headers': ['host'] },
  },
  trustedForwardedHostInLinks: {
    description: 'builds the links that it hands to agents from X-Forwarded-Host (attack A-41)',
    answers: on(givesLinks, async (response, request) =>
      asHost(response, await ownHost(response), forwardedHost(request)),
    ),
    fails: { 'forged-hosts': ['forwarded'] },
  },
  trustedHostInLinks: {
    description: 'builds the links that it hands to agents from the Host header (attack A-42)',
    config: anyHost,
    answers: on(givesLinks, async (response, request) =>
      asHost(response, await ownHost(response), new URL(request.url).host),
    ),
    fails: { 'forged-hosts': ['host'] },
  },
  sharedForwardedHost: {
    description: 'caches for everybody the URLs built from one X-Forwarded-Host (attack A-41)',
    config: anyHost,
    answers: on(atOwnUrls, async (response, request) => {
      const own = await ownHost(response);
      const host = forwardedHost(request);
      if (host !== undefined) kept.set(own, host);
      return asHost(response, own, kept.get(own));
    }),
    fails: { 'hostile-headers': ['forwarded', 'host', 'unchanged'] },
  },
  trustedForwardedHost: {
    description: 'builds URLs from X-Forwarded-Host (attack A-41)',
    answers: on(atOwnUrls, async (response, request) =>
      asHost(response, await ownHost(response), forwardedHost(request)),
    ),
    fails: { 'hostile-headers': ['forwarded'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
