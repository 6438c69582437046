import { replacing } from '../../mock/config/replacing.ts';
import { atEndpoint } from '../../mock/faults/endpoint.ts';
import { withoutCsrf } from '../../mock/faults/without-csrf.ts';
import { on, type Tamper, withoutHeaders, withStatus } from '../../mock/http/tamper.ts';
import { SIGN_IN_PATH } from '../../mock/sessions/sign-in-routes.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceFault } from './service-fault.ts';

export const isPage = (path: string, response: Response) =>
  PAGES.includes(path) && (response.headers.get('content-type') ?? '').startsWith('text/html');

export const PAGES: readonly string[] = [PATHS.login, PATHS.claimPage, PATHS.complete];

/** Changes the value of one header. */
export function withChanged(name: string, change: (value: string) => string): Tamper {
  return (response) => {
    const value = response.headers.get(name);
    if (value !== null) response.headers.set(name, change(value));
    return response;
  };
}

export const framable = withoutHeaders('x-frame-options');

/** Faults: what it does wrong with sessions and pages. */
export const PAGE_FAULTS = {
  uncheckedSignInCsrf: {
    description: 'accepts a sign-in from any page (attack A-13)',
    parts: (service) =>
      atEndpoint(service, { path: SIGN_IN_PATH, method: 'POST' }, ({ sessions }) => ({
        sessions: replacing(withoutCsrf(sessions), {
          find: async (c) => (await sessions.find(c)) ?? { csrfToken: '', visitor: undefined },
        }),
      })),
  },
  uncheckedReturnTo: {
    description: 'redirects after a sign-in to any URL in return_to (RFC 9700 §4.11)',
    parts: (service) =>
      atEndpoint(service, { path: SIGN_IN_PATH }, ({ decisions }) => ({
        decisions: { ...decisions, returnTo: (value, _origin, fallback) => value ?? fallback },
      })),
  },
  wrongRedirectStatus307: {
    description: 'redirects after a sign-in with 307 (RFC 9700 §4.12)',
    answers: on((path, { status }) => path === PATHS.login && status === 303, withStatus(307)),
  },
  missingFrameProtection: {
    description: 'lets its pages be framed (RFC 9700 §4.16)',
    answers: on(isPage, (response, request) =>
      withChanged('content-security-policy', (policy) =>
        policy.replace("frame-ancestors 'none'; ", ''),
      )(framable(response, request) as Response, request),
    ),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
