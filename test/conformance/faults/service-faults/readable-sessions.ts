import { readCookie } from '../../../../src/mock/http/read-cookie.ts';
import { SIGN_IN_PATH } from '../../../../src/mock/sessions/sign-in-routes.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { formValue } from './form-value.ts';

const { atHandler, replacing } = rewire;

const COOKIE = 'agent-auth-user';

/** A sign-in puts the email into a second cookie, as JSON in base64url, and whoever it names is signed in. */
export const readableSessions: Rewired = (service) => ({
  ...atHandler(service, { path: SIGN_IN_PATH, method: 'POST' }, (_mock, right) => async (c) => {
    const email = await formValue(c, 'email');
    const response = await right(c);
    if (response.status !== 303) return response;
    const value = Buffer.from(JSON.stringify({ email })).toString('base64url');
    response.headers.append('set-cookie', `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax`);
    return response;
  }),
  sessions: replacing(service.sessions, {
    find: async (c) => {
      const session = await service.sessions.find(c);
      const email = emailIn(readCookie(c, COOKIE));
      if (session?.visitor === undefined || email === undefined) return session;
      const key = await service.users.signIn(email);
      return { ...session, visitor: { ...session.visitor, key, email } };
    },
  }),
});

function emailIn(cookie: string | undefined): string | undefined {
  try {
    const { email } = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString());
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined;
  }
}
