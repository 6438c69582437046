/**
 * A right provider that mints only for services whose metadata has every field of the specification, and is
 * right. Device authorization, consent pages, ID-JAGs, events with retries; no controls, no clock to move.
 */
import {
  json,
  listen,
  NO_STORE,
  Problem,
  type Routes,
  randomText,
  readForm,
  withProblems,
} from '../services/support.ts';
import { makeSigner } from './strict/keys.ts';
import {
  decideConsent,
  endConsent,
  enterCode,
  logIn,
  showConsent,
  showConsents,
  showDevice,
  showLogin,
} from './strict/pages.ts';
import { isResourceOf, readService } from './strict/read-service.ts';
import { Strict } from './strict/state.ts';

type Form = ReadonlyMap<string, string>;

export interface RunningProvider {
  readonly url: string;
  readonly consentsPage: string;
  /** An ID token of a user, without a page: as the single sign-on of an enterprise gives it. */
  readonly signIn?: (email: string) => Promise<string>;
  close(): Promise<void>;
}

export const CLIENT_ID = 'agent-auth';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const INTERVAL = 5;
const ID_JAG_SECONDS = 300;
const ID_TOKEN_SECONDS = 12 * 3600;
const OLDEST_SIGN_IN_SECONDS = 3600;

interface StrictOptions {
  readonly now?: () => number;
  /** Of an enterprise: its administrator decides for whom it mints, and no user is asked. */
  readonly byPolicy?: boolean;
}

export async function startStrict({ byPolicy = false, now = Date.now }: StrictOptions = {}) {
  let state: Strict | undefined;
  const { origin, close } = await listen(async (at) => {
    state = new Strict(at, await makeSigner(at, now), now, byPolicy);
    return routesOf(state);
  });
  const running: RunningProvider = {
    url: origin,
    consentsPage: `${origin}/consents`,
    signIn: async (email) => (state === undefined ? '' : idTokenOf(state, email)),
    close: async () => {
      await state?.outbox.idle();
      await close();
    },
  };
  return running;
}

function routesOf(state: Strict): Routes {
  const { issuer, outbox, signer } = state;
  const cached = { 'Cache-Control': 'public, max-age=300' };
  const render = ({ code, headers, members, message, status }: Problem) =>
    json(
      status,
      { error: code, error_description: message, ...members },
      { ...NO_STORE, ...headers },
    );
  const endpoint = (handle: (form: Form) => Promise<object>) => ({
    POST: withProblems(render, async (request) =>
      json(200, await handle(await readClient(request))),
    ),
  });
  const metadata = () => {
    outbox.send();
    return json(200, metadataOf(state), cached);
  };
  return {
    '/.well-known/oauth-authorization-server': { GET: metadata },
    '/.well-known/jwks.json': { GET: () => json(200, signer.keySet, cached) },
    '/agent-auth.json': { GET: () => json(200, clientOf(issuer), cached) },
    '/device_authorization': endpoint(async () => {
      const { deviceCode, seconds, userCode } = state.startDevice();
      const verification = { user_code: userCode, verification_uri: `${issuer}/device` };
      return { device_code: deviceCode, ...verification, expires_in: seconds, interval: INTERVAL };
    }),
    '/token': endpoint((form) => token(state, form)),
    '/revoke-consent': endpoint(async (form) => {
      const { email } = await userOf(state, form);
      const audience = form.get('audience') ?? '';
      return { audience, revoked: await state.revoke(email, audience) };
    }),
    '/login': { GET: (r) => showLogin(state, r), POST: (r) => logIn(state, r) },
    '/device': { GET: (r) => showDevice(state, r), POST: (r) => enterCode(state, r) },
    '/consent': { GET: (r) => showConsent(state, r), POST: (r) => decideConsent(state, r) },
    '/consents': { GET: (r) => showConsents(state, r), POST: (r) => endConsent(state, r) },
  };
}

function token(state: Strict, form: Form): Promise<object> {
  const grant = form.get('grant_type');
  if (grant === DEVICE) return poll(state, form);
  if (grant === EXCHANGE) return mint(state, form);
  const code = grant === undefined ? 'invalid_request' : 'unsupported_grant_type';
  throw new Problem(400, code, 'The grant_type has to be that of a device code or token exchange.');
}

/** RFC 8628 §3.4. */
async function poll(state: Strict, form: Form): Promise<object> {
  const now = state.now();
  const code = form.get('device_code') ?? '';
  const device = state.devices.get(code);
  if (device === undefined) throw new Problem(400, 'invalid_grant', 'Unknown device code.');
  if (device.until <= now) throw new Problem(400, 'expired_token', 'The code has expired.');
  if (device.decision === 'deny') throw new Problem(400, 'access_denied', 'The user denied.');
  if (device.decision === undefined || device.email === undefined) {
    const isEarly = now - (device.polledAt ?? 0) < (INTERVAL - 1) * 1000;
    device.polledAt = now;
    throw new Problem(400, isEarly ? 'slow_down' : 'authorization_pending', 'Not yet.');
  }
  state.devices.delete(code);
  const idToken = await idTokenOf(state, device.email);
  return { id_token: idToken, access_token: randomText(), token_type: 'Bearer', expires_in: 3600 };
}

function idTokenOf(state: Strict, email: string): Promise<string> {
  const seconds = Math.floor(state.now() / 1000);
  return state.signer.sign('JWT', {
    aud: CLIENT_ID,
    sub: state.subjectOf(email),
    exp: seconds + ID_TOKEN_SECONDS,
    auth_time: seconds,
    email,
    email_verified: true,
  });
}

/** RFC 8693 §2.1, ID-JAG §4.3. */
async function mint(state: Strict, form: Form): Promise<object> {
  for (const name of ['requested_token_type', 'audience', 'subject_token', 'subject_token_type']) {
    if (!form.has(name)) throw new Problem(400, 'invalid_request', `${name} is missing.`);
  }
  if (form.get('requested_token_type') !== ID_JAG) {
    throw new Problem(400, 'invalid_request', 'Only ID-JAGs are issued.');
  }
  if (form.has('actor_token') || form.has('actor_token_type')) {
    throw new Problem(400, 'invalid_request', 'No actor is taken.');
  }
  const { authTime, email } = await userOf(state, form);
  const audience = form.get('audience') ?? '';
  if (!isIssuer(audience) || audience === state.issuer) {
    throw new Problem(400, 'invalid_target', 'The audience is no service.');
  }
  const now = Math.floor(state.now() / 1000);
  if (now - authTime > OLDEST_SIGN_IN_SECONDS) {
    const more = { max_age: OLDEST_SIGN_IN_SECONDS };
    throw new Problem(400, 'insufficient_user_authentication', 'The sign-in is too old.', more);
  }
  const service = await readService(audience);
  const resource = form.get('resource');
  if (resource !== undefined && !(await isResourceOf(resource, service))) {
    throw new Problem(400, 'invalid_target', 'The resource is not of the audience.');
  }
  const scopes = (form.get('scope') ?? '').split(' ').filter(Boolean);
  const unknown = scopes.find((scope) => !service.scopes.includes(scope));
  if (unknown !== undefined) {
    throw new Problem(
      400,
      'invalid_scope',
      `The service does not offer ${JSON.stringify(unknown)}.`,
    );
  }
  const granted = state.byPolicy ? scopes : state.consentFor(email, audience)?.scopes;
  if (granted === undefined || scopes.some((scope) => !granted.includes(scope))) {
    const consentUri = state.ask({ email, service, scopes });
    const more = { consent_uri: consentUri };
    throw new Problem(400, 'consent_required', 'The user has not agreed to this yet.', more);
  }
  const idJag = await state.signer.sign('oauth-id-jag+jwt', {
    aud: audience,
    sub: state.subjectOf(email),
    client_id: `${state.issuer}/agent-auth.json`,
    jti: randomText(),
    exp: now + ID_JAG_SECONDS,
    auth_time: authTime,
    email,
    email_verified: true,
    ...(resource !== undefined && { resource }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  });
  return {
    access_token: idJag,
    issued_token_type: ID_JAG,
    token_type: 'N_A',
    expires_in: ID_JAG_SECONDS,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}

async function userOf(state: Strict, form: Form) {
  if (form.get('subject_token_type') !== ID_TOKEN) {
    throw new Problem(400, 'invalid_request', 'The subject token has to be an ID token.');
  }
  const claims = await state.signer
    .verify(form.get('subject_token') ?? '', 'JWT', CLIENT_ID)
    .catch(() => {
      throw new Problem(400, 'invalid_grant', 'The ID token is not one of ours, or is over.');
    });
  return { email: String(claims['email']), authTime: Number(claims['auth_time']) };
}

async function readClient(request: Request): Promise<Form> {
  const form = await readForm(request);
  if (form.get('client_id') === CLIENT_ID && !form.has('client_secret')) return form;
  throw new Problem(401, 'invalid_client', 'The client is not known.');
}

function isIssuer(url: string): boolean {
  return URL.canParse(url) && /^https?:\/\//.test(url) && !/[?#]/.test(url);
}

function metadataOf({ byPolicy, issuer }: Strict) {
  const forUsers = {
    device_authorization_endpoint: `${issuer}/device_authorization`,
    consent_revocation_endpoint: `${issuer}/revoke-consent`,
  };
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    token_endpoint: `${issuer}/token`,
    ...(!byPolicy && forUsers),
    grant_types_supported: byPolicy ? [EXCHANGE] : [DEVICE, EXCHANGE],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    identity_chaining_requested_token_types_supported: [ID_JAG],
  };
}

function clientOf(issuer: string) {
  return {
    client_id: `${issuer}/agent-auth.json`,
    client_name: 'Strict',
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types: [EXCHANGE, BEARER],
    response_types: [],
    token_endpoint_auth_method: 'none',
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  };
}
