import {
  asHost,
  atOwnUrls,
  forwardedHost,
  ownHost,
} from '../../../../src/mock-service/faults/discovery-faults.ts';
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
} satisfies Readonly<Record<string, ProvenServiceFault>>;
