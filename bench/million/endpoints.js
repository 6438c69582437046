import { CONTROLLING, PROVIDER, SERVICE } from './side.js';

/**
 * @typedef {import('./side.js').Side} Side
 * @typedef {import('./side.js').Sent} Sent
 *
 * @typedef {object} Endpoint
 * @property {string} id
 * @property {'service' | 'provider'} at
 * @property {number} [status] of each answer. Default: 200
 * @property {(side: Side) => Promise<() => Sent | Promise<Sent>>} prepare makes the next request, which is not timed
 */

const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const CLIENT = 'agent-auth';
const BOB = 'bob@example.com';

/** @type {readonly Endpoint[]} */
export const ENDPOINTS = [
  service('metadata', async () => () => ({ path: '/.well-known/oauth-authorization-server' })),
  service('register anonymous', async () => () => anonymous()),
  service('register service_auth', async () => () => byEmail()),
  service(
    'register ID-JAG',
    async ({ signer }) =>
      () =>
        byIdJag(idJag(signer)),
  ),
  service('exchange', async (side) => {
    const { identity_assertion: assertion } = await members(side, anonymous());
    return () => exchange(assertion);
  }),
  service('call', async (side) => {
    const headers = bearer(await newToken(side));
    return () => ({ path: '/api/resource', headers });
  }),
  service(
    'poll, pending',
    async (side) => {
      const { claim_token: token } = await members(side, byEmail());
      return () => poll(token);
    },
    400,
  ),
  service('poll, again after the claim', async (side) => {
    const registered = await members(side, byEmail());
    await complete(side, registered);
    return () => poll(registered['claim_token']);
  }),
  service('claim, start', async (side) => {
    const { claim_token } = await members(side, byEmail());
    return () => ({ path: '/agent/identity/claim', json: { claim_token, email: BOB } });
  }),
  service('claim, complete', async (side) => {
    const { cookie, csrf } = await signIn(side);
    return async () => {
      const { claim } = await members(side, byEmail());
      const headers = { cookie, 'x-csrf-token': csrf };
      const token = claim.verification_uri.split('/').at(-1);
      const json = { claim_attempt_token: token, user_code: claim.user_code };
      return { path: '/agent/identity/claim/complete', json, headers };
    };
  }),
  service('revoke', async (side) => async () => ({
    path: '/oauth2/revoke',
    form: { token: await newToken(side) },
  })),
  service(
    'event',
    async (side) => async () => {
      const given = idJag(side.signer);
      await members(side, byIdJag(given));
      const { sub } = JSON.parse(Buffer.from(given.split('.')[1] ?? '', 'base64url').toString());
      return { path: '/agent/event/notify', event: side.signer.revocation(SERVICE, sub) };
    },
    202,
  ),
  service('page of agents with access', async (side) => {
    const { cookie } = await signIn(side);
    return () => ({ path: '/connections', headers: { cookie } });
  }),
  service('control: state', async () => () => ({ path: '/__mock', headers: CONTROLLING })),
  service('control: list of registrations', async () => () => ({
    path: '/__mock/registrations',
    headers: CONTROLLING,
  })),
  service('control: one registration', async (side) => {
    const { registration_id: id } = await members(side, anonymous());
    return () => ({ path: `/__mock/registrations/${id}`, headers: CONTROLLING });
  }),
  service('control: mails', async () => () => ({ path: '/__mock/mails', headers: CONTROLLING })),
  service('control: page of the audit trail', async () => () => ({
    path: '/__mock/audit?limit=100',
    headers: CONTROLLING,
  })),
  provider('device authorization', async () => () => deviceAuthorization()),
  provider('device poll', async (side) => {
    const { device_code } = await members(side, deviceAuthorization(), 'provider');
    const form = { grant_type: DEVICE_CODE, device_code, client_id: CLIENT };
    return async () => {
      const fresh = await members(side, deviceAuthorization(), 'provider');
      return { path: '/oauth2/token', form: { ...form, device_code: fresh['device_code'] } };
    };
  }),
  provider('mint', async (side) => {
    const sent = mint((await newIdToken(side)).id_token);
    await members(side, sent, 'provider');
    return () => sent;
  }),
  provider('user info', async (side) => {
    const headers = bearer((await newIdToken(side)).access_token);
    return () => ({ path: '/oauth2/userinfo', headers });
  }),
  provider('control: outbox', async () => () => ({ path: '/__mock/outbox', headers: CONTROLLING })),
];

/** @param {string} id @param {Endpoint['prepare']} prepare @param {number} status @returns {Endpoint} */
function service(id, prepare, status = 200) {
  return { id, at: 'service', status, prepare };
}

/** @param {string} id @param {Endpoint['prepare']} prepare @returns {Endpoint} */
function provider(id, prepare) {
  return { id: `provider: ${id}`, at: 'provider', prepare };
}

/** @returns {Sent} */
function anonymous() {
  return { path: '/agent/identity', json: { type: 'anonymous' } };
}

/** @returns {Sent} */
function byEmail() {
  return { path: '/agent/identity', json: { type: 'service_auth', login_hint: BOB } };
}

/** @param {string} assertion @returns {Sent} */
function byIdJag(assertion) {
  return { path: '/agent/identity', json: { type: 'identity_assertion', assertion } };
}

/** @param {Side['signer']} signer @returns {string} of a new user */
function idJag(signer) {
  const [made = ''] = signer.idJags(SERVICE, 1);
  return made;
}

/** @param {string} assertion @returns {Sent} */
function exchange(assertion) {
  return { path: '/oauth2/token', form: { grant_type: JWT_BEARER, assertion } };
}

/** @param {string} claim_token @returns {Sent} */
function poll(claim_token) {
  return { path: '/oauth2/token', form: { grant_type: CLAIM, claim_token } };
}

/** @param {Side} side */
async function newToken(side) {
  const { identity_assertion: assertion } = await members(side, anonymous());
  return (await members(side, exchange(assertion)))['access_token'];
}

/** @param {string} token */
function bearer(token) {
  return { authorization: `Bearer ${token}` };
}

/** @param {Side} side @param {Record<string, any>} registered */
function complete(side, { registration_id: id }) {
  const path = `/__mock/registrations/${id}/complete`;
  return members(side, { path, json: {}, headers: CONTROLLING });
}

/** Somebody with one registration. @param {Side} side */
async function signIn(side) {
  await complete(side, await members(side, byEmail()));
  const { headers } = await side.service({ path: '/login' });
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await (await side.service({ path: '/login', headers: { cookie } })).text();
  const signedIn = await side.service({
    path: '/login',
    form: { email: BOB, csrf_token: csrfOf(page) },
    headers: { cookie, origin: SERVICE, 'sec-fetch-site': 'same-origin' },
  });
  const own = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
  const shown = await side.service({ path: '/connections', headers: { cookie: own } });
  return { cookie: own, csrf: csrfOf(await shown.text()) };
}

/** @param {string} page */
function csrfOf(page) {
  const [, token] = /name="csrf_token"[^>]*value="([^"]+)"/.exec(page) ?? [];
  if (token === undefined) throw new Error(`There is no form on the page:\n${page}`);
  return token;
}

/** @returns {Sent} */
function deviceAuthorization() {
  return {
    path: '/oauth2/device_authorization',
    form: { client_id: CLIENT, scope: 'openid email' },
  };
}

/** @param {Side} side */
async function newIdToken(side) {
  const { device_code } = await members(side, deviceAuthorization(), 'provider');
  const form = { grant_type: DEVICE_CODE, device_code, client_id: CLIENT };
  return members(side, { path: '/oauth2/token', form }, 'provider');
}

/** @param {string} idToken @returns {Sent} */
function mint(idToken) {
  const form = {
    grant_type: TOKEN_EXCHANGE,
    client_id: CLIENT,
    requested_token_type: ID_JAG,
    audience: PROVIDER.replace('provider', 'audience'),
    subject_token: idToken,
    subject_token_type: ID_TOKEN,
  };
  return { path: '/oauth2/token', form };
}

/**
 * @param {Side} side @param {Sent} sent @param {'service' | 'provider'} at
 * @returns {Promise<Record<string, any>>}
 */
async function members(side, sent, at = 'service') {
  const response = await side[at](sent);
  const text = await response.text();
  if (!response.ok) throw new Error(`${sent.path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
