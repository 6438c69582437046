import { withoutCsrf } from '../../../../src/mock/faults/without-csrf.ts';
import { readQuery } from '../../../../src/mock/http/request.ts';
import { SIGN_IN_PATH } from '../../../../src/mock/sessions/sign-in-routes.ts';
import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import {
  readTypedCode,
  userCodeHmac,
} from '../../../../src/mock-provider/device-code/user-code.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import { keptSessionId } from '../kept-session-id.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { atEndpoint, atHandler, on, replacing, withJson, withText } = rewire;

/** The user codes that one mock has given. */
const CODES: string[] = [];

/** The newest code that begins as what was typed does. */
function wholeOf(typed: string): string {
  return CODES.findLast((code) => code.startsWith(typed)) ?? typed;
}

/** Faults: what it does wrong with the sessions of its users, and with the codes that they type. */
export const SESSION_FAULTS = {
  uncheckedReturnTo: {
    description: 'redirects after a sign-in to any URL in return_to (RFC 9700 §4.11)',
    parts: (mock) =>
      atEndpoint(mock, { path: SIGN_IN_PATH }, () => ({
        returnTo: (value, _origin, fallback) => value ?? fallback,
      })),
    fails: { 'provider-redirects': ['after-sign-in'] },
  },
  uncheckedReturnToOfSignedIn: {
    description: 'redirects whoever is signed in to any URL in return_to (RFC 9700 §4.11)',
    parts: (mock) =>
      atEndpoint(mock, { path: SIGN_IN_PATH, method: 'GET' }, () => ({
        returnTo: (value, _origin, fallback) => value ?? fallback,
      })),
    fails: { 'provider-redirects': ['when-signed-in'] },
  },
  staleSessionId: {
    description: 'keeps the session id at sign-in, even a planted one (attack A-14)',
    parts: (mock) => ({ sessions: keptSessionId(mock) }),
    fails: { 'provider-session': ['fixation'] },
  },
  staleSignedInSessionId: {
    description: 'keeps the session id when another user signs in over it (attack A-14)',
    parts: (mock) => ({
      sessions: keptSessionId(
        mock,
        async (c) => (await mock.sessions.find(c))?.visitor !== undefined,
      ),
    }),
    fails: { 'provider-session': ['fixation'] },
  },
  uncheckedSignInCsrf: {
    description: 'accepts a sign-in from any page (attack A-13)',
    parts: (mock) =>
      atEndpoint(mock, { path: SIGN_IN_PATH, method: 'POST' }, ({ sessions }) => ({
        sessions: replacing(withoutCsrf(sessions), {
          find: async (c) => (await sessions.find(c)) ?? { csrfToken: '', visitor: undefined },
        }),
      })),
    fails: { 'provider-session': ['foreign-sign-in'] },
  },
  uncheckedDeviceCsrf: {
    description: 'accepts the approval of a device code from any page (RFC 8628 §5.4)',
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.device, method: 'POST' }, ({ sessions }) => ({
        sessions: withoutCsrf(sessions),
      })),
    needs: { with: ['exposedSession'] },
    fails: { 'device-attacks': ['cross-site'] },
  },
  acceptedApprovalByLink: {
    description: 'approves a device code when its link is opened (RFC 8628 §3.3.1)',
    parts: (mock) =>
      atHandler(
        mock,
        { path: PATHS.device, method: 'GET' },
        ({ devices, sessions, userCodeKey }, right) =>
          async (c) => {
            const code = readTypedCode(readQuery(c, 'user_code'));
            const visitor = (await sessions.find(c))?.visitor;
            const answer = await right(c);
            if (code !== undefined && visitor !== undefined) {
              await devices.decide(userCodeHmac(userCodeKey, code), visitor, 'approve');
            }
            return answer;
          },
      ),
    fails: { 'device-attacks': ['by-link'] },
  },
  missingUserCodeOnPage: {
    description: 'does not show the code of its link on the page (RFC 8628 §3.3.1)',
    answers: on(
      (path) => path === PATHS.device,
      withText((text) => text.replace(/<output class="user-code".*?<\/output>/s, '')),
    ),
    fails: { 'device-attacks': ['code-shown'] },
  },
  uncheckedFormAccount: {
    description: 'approves a device code by the form of another account (RFC 8628 §5.4)',
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.device, method: 'POST' }, ({ sessions }) => ({
        sessions: replacing(sessions, {
          // Where it comes from is looked at, and not whose it is.
          checkCsrf: (c, session) => sessions.checkCsrf(c, session, session.csrfToken),
        }),
      })),
    fails: { 'device-attacks': ['shown-account'] },
  },
  acceptedForeignDeviceCode: {
    description: 'redeems a device code for any client (RFC 6749 §5.2)',
    config: (right) => ({ ...right, clients: [] }),
    parts: ({ devices }) => {
      const owners = new Map<string, string>();
      return {
        devices: replacing(devices, {
          create: (code) => {
            owners.set(code.deviceCodeHash, code.clientId);
            return devices.create(code);
          },
          poll: (hash, clientId, rules) => devices.poll(hash, owners.get(hash) ?? clientId, rules),
        }),
      };
    },
    fails: { 'device-attacks': ['other-client'] },
  },
  trustedForwardedDeviceHost: {
    description: 'builds the URL for user codes from X-Forwarded-Host',
    answers: on(
      (path) => path === PATHS.deviceAuthorization,
      withJson((body, request) => {
        const host = request.headers.get('x-forwarded-host');
        return host === null ? body : { ...body, verification_uri: `https://${host}/device` };
      }),
    ),
    fails: { 'device-attacks': ['forwarded-host'] },
  },
  staleSignedOutSession: {
    description: 'drops the cookie at sign-out, and keeps the session (RFC 6265 §8.4)',
    parts: ({ sessions }) => ({
      sessions: replacing(sessions, { signOut: async () => sessions.dropCookie() }),
    }),
    fails: { 'provider-session': ['signed-out'] },
  },
  acceptedHalfUserCode: {
    description: 'compares a user code as far as it was typed (RFC 8628 §5.1)',
    parts: ({ reader }) => ({
      reader: {
        ...reader,
        form: (text) =>
          reader.form(text.replace(/(?<=user_code=)[^&]+/, (typed) => wholeOf(typed))),
      },
    }),
    answers: on(
      (path) => path === PATHS.deviceAuthorization,
      async (response) => {
        const { user_code: code } = (await response.clone().json()) as { user_code?: string };
        if (code !== undefined) CODES.push(code);
        return response;
      },
    ),
    fails: { 'device-codes': ['whole-code'] },
  },
  noTryLimit: {
    description: 'lets a user type as many wrong codes as they like (RFC 8628 §5.1)',
    parts: ({ devices, random }) => ({
      devices: replacing(devices, {
        // Each try counts for somebody else.
        look: (hmac, user) =>
          devices.look(hmac, {
            ...user,
            email: `${user.email} ${sha256(String(random.bytes(8)))}`,
          }),
      }),
    }),
    fails: { 'device-codes': ['guess-limit'] },
  },
  staleSignInToken: {
    description: 'signs an agent in anew at each poll of a device code (RFC 6749 §10.5)',
    parts: ({ random, signInTokens }) => ({
      signInTokens: replacing(signInTokens, {
        issue: (token) =>
          signInTokens.issue({ ...token, signIn: sha256(String(random.bytes(16))) }),
      }),
    }),
    fails: { 'device-codes': ['parallel'] },
  },
  acceptedUsedDeviceCode: {
    description: 'redeems a device code again as long as it has not expired (RFC 6749 §10.5)',
    decisions: (right) => ({
      ...right,
      poll: (facts, now) => right.poll({ ...facts, collectedAt: undefined }, now),
    }),
    fails: { 'device-codes': ['used-twice'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
