import {
  atEndpoint,
  atHandler,
  type Context,
  type CsrfRules,
  column,
  keptSessionId,
  on,
  raw,
  readCookie,
  replacing,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  seeOther,
  withHeader,
  withoutCsrf,
} from '../../mock/index.ts';
import { sha256 } from '../../runtime/index.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { formValue } from './form-value.ts';
import { readableSessions } from './readable-sessions.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** A request of our own page is recognized by other rules. */
function csrfRules(change: (right: CsrfRules) => Partial<CsrfRules>): Rewired {
  return ({ csrfRules: right }) => ({ csrfRules: { ...right, ...change(right) } });
}

type IsKept = (c: Context, mock: ServiceContext) => Promise<boolean>;

/** A sign-in keeps the id that the browser sent. */
const keepingId =
  (isKept: IsKept): Rewired =>
  (mock) => ({ sessions: keptSessionId(mock, (c) => isKept(c, mock)) });

const sessionHash = (c: Context) => sha256(readCookie(c, 'agent-auth-service') ?? '');

async function isSignedOut(c: Context, { db }: ServiceContext): Promise<boolean> {
  const sql = 'SELECT signed_in_at FROM sessions WHERE id_hash = ? AND user_key IS NULL';
  const row = await db.read((reader) => reader.get(sql, [sessionHash(c)]));
  return column.optionalNumber(row?.['signed_in_at']) !== undefined;
}

/** Faults of sessions and sign-ins. */
export const SESSION_FAULTS = {
  staleSessionId: {
    description: 'keeps the session id at sign-in, even a planted one (attack A-14)',
    parts: keepingId(async () => true),
    breaks: ['A-14', 'W5-04'],
    fails: { 'session-ids': ['fixation'] },
  },
  staleSignedInSessionId: {
    description: 'keeps the session id when another user signs in over it (attack A-14)',
    parts: keepingId(async (c, { sessions }) => (await sessions.find(c))?.visitor !== undefined),
    breaks: ['A-14', 'W5-04'],
    fails: { 'planted-session': ['signed-in-over'] },
  },
  staleSignedOutSessionId: {
    description: 'empties the session at a sign-out, and uses its id again (attack A-14)',
    parts: (service) => ({
      sessions: replacing(
        keptSessionId(service, (c) => isSignedOut(c, service)),
        {
          signOut: async (c) => {
            const sql = 'UPDATE sessions SET user_key = NULL, email = NULL WHERE id_hash = ?';
            await service.db.transaction((tx) => tx.run(sql, [sessionHash(c)]));
            return {};
          },
        },
      ),
    }),
    breaks: ['A-14', 'W5-04'],
    fails: { 'planted-session': ['signed-out-first'] },
  },
  exposedSessionUser: {
    description: 'believes the email in its session cookie, which anybody can alter (attack A-14)',
    parts: readableSessions,
    breaks: ['A-14-READABLE'],
    fails: { 'readable-session': ['altered'] },
  },
  uncheckedSignInCsrf: {
    description: 'accepts a sign-in from any page (attack A-13)',
    parts: (service) =>
      atEndpoint(service, { path: SIGN_IN_PATH, method: 'POST' }, ({ sessions }) => ({
        sessions: replacing(withoutCsrf(sessions), {
          find: async (c) => (await sessions.find(c)) ?? { csrfToken: '', visitor: undefined },
        }),
      })),
    breaks: ['A-13-SIGN-IN'],
    fails: { 'sign-in-forgery': ['foreign-page'] },
  },
  acceptedSignInByGet: {
    description: 'accepts a sign-in by GET (RFC 9110 §9.2.1)',
    parts: (service) =>
      atHandler(service, { path: SIGN_IN_PATH, method: 'GET' }, (mock, right) => async (c) => {
        const { config, returnTo, sessions, users } = mock;
        const email = c.req.query('email');
        if (email === undefined) return right(c);
        const headers = await sessions.signIn(c, await users.signIn(email), email);
        const goal = returnTo(c.req.query('return_to'), config.issuer, PATHS.connections);
        return seeOther(goal, headers);
      }),
    breaks: ['A-13-SIGN-IN'],
    fails: { 'sign-in-forgery': ['by-address'] },
  },
  uncheckedReturnTo: {
    description: 'redirects after a sign-in to any URL in return_to (RFC 9700 §4.11)',
    parts: (service) =>
      atEndpoint(service, { path: SIGN_IN_PATH }, () => ({
        returnTo: (value, _origin, fallback) => value ?? fallback,
      })),
    breaks: ['A-12', 'BCP-01', 'W5-05'],
    fails: { 'sign-in-redirects': ['after-sign-in'] },
  },
  uncheckedReturnToOfSignedIn: {
    description: 'redirects whoever is signed in to any URL in return_to (RFC 9700 §4.11)',
    parts: (service) =>
      atEndpoint(service, { path: SIGN_IN_PATH, method: 'GET' }, () => ({
        returnTo: (value, _origin, fallback) => value ?? fallback,
      })),
    breaks: ['A-12', 'BCP-01', 'W5-05'],
    fails: { 'sign-in-redirects': ['when-signed-in'] },
  },
  uncheckedRefreshReturnTo: {
    description: 'sends a Refresh header to any URL in return_to after a sign-in (attack A-12)',
    parts: (service) =>
      atHandler(service, { path: SIGN_IN_PATH, method: 'POST' }, (_mock, right) => async (c) => {
        const wanted = await formValue(c, 'return_to');
        const response = await right(c);
        const { headers, status } = response;
        if (status !== 303 || wanted === undefined || wanted === headers.get('location')) {
          return response;
        }
        headers.delete('location');
        headers.set('refresh', `0; url=${encodeURI(wanted)}`);
        return new Response('', { headers });
      }),
    breaks: ['A-12', 'BCP-01', 'W5-05'],
    fails: { 'sign-in-redirects': ['after-sign-in'] },
  },
  uncheckedOrigin: {
    description: 'checks the CSRF token of a form, but not its Origin',
    parts: csrfRules(() => ({ isFromOwnPage: () => true })),
    breaks: ['A-13-TOKEN'],
    fails: { 'completion-forgery': ['foreign-origin'], 'sign-in-forgery': [] },
  },
  refusedNullOrigin: {
    description:
      'refuses a form whose Origin is null, though its pages are no-referrer (Fetch, Origin header)',
    answers: on(
      (_path, response) => /^text\/html\b/.test(response.headers.get('content-type') ?? ''),
      withHeader('referrer-policy', 'no-referrer'),
    ),
    parts: csrfRules(({ isFromOwnPage }) => ({
      isFromOwnPage: (source, own) => source.origin !== 'null' && isFromOwnPage(source, own),
    })),
    breaks: ['W5-38'],
    fails: { 'completion-forgery': ['null-same-origin'] },
  },
  unescapedSignInInput: {
    description: 'writes what was typed into its sign-in page unescaped (attack A-30)',
    parts: ({ views }) => ({
      views: {
        ...views,
        signIn: ({ typed, ...view }) => views.signIn({ ...view, typed: raw(String(typed ?? '')) }),
      },
    }),
    breaks: ['A-30.service'],
    fails: { 'page-injection': ['sign-in-form'] },
  },
  uncheckedSignOutReturnTo: {
    description: 'redirects after a sign-out to any URL in return_to (RFC 9700 §4.11)',
    parts: (service) =>
      atHandler(service, { path: SIGN_OUT_PATH }, (_mock, right) => async (c) => {
        const wanted = await formValue(c, 'return_to');
        const response = await right(c);
        if (response.status === 303 && wanted !== undefined) {
          response.headers.set('location', wanted);
        }
        return response;
      }),
    breaks: ['A-12', 'BCP-01', 'W5-05'],
    fails: { 'sign-out': ['own-pages'] },
  },
  staleSessionAfterSignOut: {
    description: 'clears the cookie at a sign-out, but leaves the session active',
    parts: ({ sessions }) => ({
      sessions: replacing(sessions, { signOut: async () => sessions.dropCookie() }),
    }),
    breaks: ['W5-02'],
    fails: { 'sign-out': ['ended'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
