import { replacing } from '../../mock/config/replacing.ts';
import { atEndpoint } from '../../mock/faults/endpoint.ts';
import { keptSessionId } from '../../mock/faults/kept-session-id.ts';
import { withoutCsrf } from '../../mock/faults/without-csrf.ts';
import type { Context } from '../../mock/http/context.ts';
import { on, type Tamper, withoutHeaders, withStatus } from '../../mock/http/tamper.ts';
import { html, raw } from '../../mock/pages/html.ts';
import { SIGN_IN_PATH } from '../../mock/sessions/sign-in-routes.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { ClaimView } from '../pages/claim-view.ts';
import type { Views } from '../pages/views.ts';
import type { Rewired, ServiceFault } from './service-fault.ts';

/** A sign-in keeps the id that the browser sent. */
export const keepingId =
  (isKept: IsKept): Rewired =>
  (mock) => ({ sessions: keptSessionId(mock, (c) => isKept(c, mock)) });

export type IsKept = (c: Context, mock: ServiceContext) => Promise<boolean>;

export const isPage = (path: string, response: Response) =>
  PAGES.includes(path) && (response.headers.get('content-type') ?? '').startsWith('text/html');

export const PAGES: readonly string[] = [PATHS.login, PATHS.claimPage, PATHS.complete];

/** With a changed value of one header. */
export function withChanged(name: string, change: (value: string) => string): Tamper {
  return (response) => {
    const value = response.headers.get(name);
    if (value !== null) response.headers.set(name, change(value));
    return response;
  };
}

export const framable = withoutHeaders('x-frame-options');

/** The claim page says more, with the name of the agent. */
export const claimPage = (more: (name: string) => ReturnType<Views['claim']>): Rewired =>
  viewing(({ claim }) => ({
    claim: (view: ClaimView) => html`${claim(view)} ${more(view.agentName ?? '')}`,
  }));

/** Pages show what an agent calls itself another way. */
export function viewing(change: (views: Views) => Partial<Views>): Rewired {
  return ({ views }) => ({ views: { ...views, ...change(views) } });
}

/** Faults: what it does wrong with sessions and pages. */
export const PAGE_FAULTS = {
  staleSessionId: {
    description: 'keeps the session id at sign-in, even a planted one (attack A-14)',
    parts: keepingId(async () => true),
  },
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
      atEndpoint(service, { path: SIGN_IN_PATH }, () => ({
        returnTo: (value, _origin, fallback) => value ?? fallback,
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
  unescapedAgentName: {
    description: 'writes what an agent calls itself into its claim page unescaped (attack A-30)',
    parts: claimPage((name) => html`<p>${raw(name)}</p>`),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
