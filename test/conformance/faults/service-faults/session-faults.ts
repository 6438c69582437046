import { readCookie } from '../../../../src/mock/http/read-cookie.ts';
import type { Context } from '../../../../src/mock/http/request.ts';
import { seeOther, wireProblem } from '../../../../src/mock/http/response.ts';
import { raw } from '../../../../src/mock/pages/html.ts';
import { SIGN_IN_PATH, SIGN_OUT_PATH } from '../../../../src/mock/sessions/sign-in-routes.ts';
import { column } from '../../../../src/mock/store/database.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import { keptSessionId } from '../kept-session-id.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { formValue } from './form-value.ts';
import { readableSessions } from './readable-sessions.ts';

const { atEndpoint, atHandler, on, replacing, withHeader } = rewire;

const sessionHash = (c: Context) => sha256(readCookie(c, 'agent-auth-service') ?? '');

async function isSignedOut(c: Context, { db }: ServiceContext): Promise<boolean> {
  const sql = 'SELECT signed_in_at FROM sessions WHERE id_hash = ? AND user_key IS NULL';
  const row = await db.read((reader) => reader.get(sql, [sessionHash(c)]));
  return column.optionalNumber(row?.['signed_in_at']) !== undefined;
}

/** A sign-in keeps the id that the browser sent. */
export const keepingId =
  (isKept: IsKept): Rewired =>
  (mock) => ({ sessions: keptSessionId(mock, (c) => isKept(c, mock)) });

export type IsKept = (c: Context, mock: ServiceContext) => Promise<boolean>;

/** Faults of sessions and sign-ins. */
export const SESSION_FAULTS = {
  staleSignedInSessionId: {
    description: 'keeps the session id when another user signs in over it (attack A-14)',
    parts: keepingId(async (c, { sessions }) => (await sessions.find(c))?.visitor !== undefined),
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
    fails: { 'planted-session': ['signed-out-first'] },
  },
  exposedSessionUser: {
    description: 'believes the email in its session cookie, which anybody can alter (attack A-14)',
    parts: readableSessions,
    fails: { 'readable-session': ['altered'] },
  },
  acceptedSignInByGet: {
    description: 'accepts a sign-in by GET (RFC 9110 §9.2.1)',
    parts: (service) =>
      atHandler(service, { path: SIGN_IN_PATH, method: 'GET' }, (mock, right) => async (c) => {
        const { config, decisions, sessions, users } = mock;
        const email = c.req.query('email');
        if (email === undefined) return right(c);
        const headers = await sessions.signIn(c, await users.signIn(email), email);
        const goal = decisions.returnTo(c.req.query('return_to'), config.issuer, PATHS.connections);
        return seeOther(goal, headers);
      }),
    fails: { 'sign-in-forgery': ['by-address'] },
  },
  uncheckedReturnToOfSignedIn: {
    description: 'redirects whoever is signed in to any URL in return_to (RFC 9700 §4.11)',
    parts: (service) =>
      atEndpoint(service, { path: SIGN_IN_PATH, method: 'GET' }, ({ decisions }) => ({
        decisions: { ...decisions, returnTo: (value, _origin, fallback) => value ?? fallback },
      })),
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
    fails: { 'sign-in-redirects': ['after-sign-in'] },
  },
  uncheckedOrigin: {
    description: 'checks the CSRF token of a form, but not its Origin',
    parts: ({ sessions }) => ({
      sessions: replacing(sessions, {
        checkCsrf: (c, session, token) => {
          const sent = token ?? c.req.header('x-csrf-token');
          if (sent !== session.csrfToken) sessions.checkCsrf(c, session, token);
        },
      }),
    }),
    fails: { 'completion-forgery': ['foreign-origin'], 'sign-in-forgery': [] },
  },
  refusedNullOrigin: {
    description:
      'refuses a form whose Origin is null, though its pages are no-referrer (Fetch, Origin header)',
    answers: on(
      (_path, response) => /^text\/html\b/.test(response.headers.get('content-type') ?? ''),
      withHeader('referrer-policy', 'no-referrer'),
    ),
    parts: ({ sessions }) => ({
      sessions: replacing(sessions, {
        checkCsrf: (c, ...given) => {
          if (c.req.header('origin') === 'null') throw wireProblem('complete', 'csrf_failed');
          sessions.checkCsrf(c, ...given);
        },
      }),
    }),
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
    fails: { 'sign-out': ['own-pages'] },
  },
  staleSessionAfterSignOut: {
    description: 'clears the cookie at a sign-out, but leaves the session active',
    parts: ({ sessions }) => ({
      sessions: replacing(sessions, { signOut: async () => sessions.dropCookie() }),
    }),
    fails: { 'sign-out': ['ended'] },
  },
  staleSessionId: {
    description: 'keeps the session id at sign-in, even a planted one (attack A-14)',
    parts: keepingId(async () => true),
    fails: { 'session-ids': ['fixation'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
