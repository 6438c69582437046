import { pathOf, postForm, postJson, request, requireMember } from './peer.js';

/**
 * What a row makes its load from.
 * @typedef {object} Kit
 * @property {import('./peer.js').Peer} peer
 * @property {(bodies: readonly string[]) => string} keep writes them to a file, one a line
 *
 * What a row sends, and what its limit has to know of it.
 * @typedef {object} Prepared
 * @property {import('../measure/wrk.js').Load} load
 * @property {readonly string[]} [tokens] what the limit has in its store
 * @property {import('jose').JWK} [key] what the limit verifies with
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} name
 * @property {'service' | 'provider'} role
 * @property {(kit: Kit) => Promise<Prepared>} prepare
 * @property {object} [options] of the mock
 */

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const USER = 'alice@example.com';
const CLIENT = 'agent-auth';
/** So many poll and exchange, each in its turn: what is locked for one of them holds up no other. */
const AGENTS = 256;

/** @type {readonly Row[]} */
export const ROWS = [
  {
    id: 'metadata',
    name: 'authorization-server metadata',
    role: 'service',
    prepare: async ({ peer }) => {
      const path = '/.well-known/oauth-authorization-server';
      const { size } = await request(peer.origin + path);
      return { load: { method: 'GET', path, answers: 'ok', size } };
    },
  },
  {
    id: 'call',
    name: 'protected GET with a token',
    role: 'service',
    prepare: async ({ peer }) => {
      const path = '/api/resource';
      const assertion = requireMember(await register(peer), 'identity_assertion');
      const token = requireMember(await exchange(peer, assertion), 'access_token');
      const authorization = `Bearer ${token}`;
      const { size } = await expectOk(request(peer.origin + path, { headers: { authorization } }));
      return { load: { method: 'GET', path, authorization, answers: 'ok', size }, tokens: [token] };
    },
  },
  {
    id: 'poll',
    name: 'claim poll, pending, its write included',
    role: 'service',
    // None is too early: each poll is answered authorization_pending, and written down.
    options: { lifetimes: { interval: 1 } },
    prepare: async ({ keep, peer }) => {
      /** @type {string[]} */
      const tokens = [];
      for (let user = 0; user < AGENTS; user += 1) tokens.push(await waitingClaim(peer, user));
      /** @type {readonly string[]} */
      const grants = peer.metadata['grant_types_supported'];
      // Its middle is each service's own.
      const grant_type = grants.find((each) => each.endsWith('grant-type:claim')) ?? '';
      const path = pathOf(peer, peer.metadata['token_endpoint']);
      const form = (/** @type {string} */ claim_token) => ({ grant_type, claim_token });
      const { size, body } = await postForm(peer, path, form(tokens[0] ?? ''));
      if (body['error'] !== 'authorization_pending') throw new Error('A poll is not pending.');
      const bodies = keep(tokens.map((token) => `${new URLSearchParams(form(token))}`));
      return {
        load: { method: 'POST', path, contentType: FORM_TYPE, bodies, answers: 'pending', size },
        tokens,
      };
    },
  },
  {
    id: 'register',
    name: 'anonymous registration',
    role: 'service',
    prepare: async ({ keep, peer }) => {
      const { size } = await expectOk(register(peer));
      const path = identityPath(peer);
      const bodies = keep(['{"type":"anonymous"}']);
      return {
        load: { method: 'POST', path, contentType: JSON_TYPE, bodies, answers: 'ok', size },
      };
    },
  },
  {
    id: 'exchange',
    name: 'jwt-bearer exchange',
    role: 'service',
    prepare: async ({ keep, peer }) => {
      let size = 0;
      /** @type {string[]} */
      const forms = [];
      while (forms.length < AGENTS) {
        const assertion = requireMember(await register(peer), 'identity_assertion');
        if (forms.length === 0) size = (await expectOk(exchange(peer, assertion))).size;
        forms.push(`${new URLSearchParams({ grant_type: JWT_BEARER, assertion })}`);
      }
      const path = pathOf(peer, peer.metadata['token_endpoint']);
      const bodies = keep(forms);
      return {
        load: { method: 'POST', path, contentType: FORM_TYPE, bodies, answers: 'ok', size },
        key: await keyOf(peer),
      };
    },
  },
  {
    id: 'mint',
    name: 'mint at the provider',
    role: 'provider',
    options: { autoApprove: USER },
    prepare: async ({ keep, peer }) => {
      const path = pathOf(peer, peer.metadata['token_endpoint']);
      const fields = {
        grant_type: TOKEN_EXCHANGE,
        client_id: CLIENT,
        requested_token_type: ID_JAG,
        audience: 'https://service.example',
        subject_token: await signIn(peer, path),
        subject_token_type: ID_TOKEN,
      };
      // The first one gives the consent that the others read.
      await expectOk(postForm(peer, path, fields));
      const { size } = await expectOk(postForm(peer, path, fields));
      const bodies = keep([`${new URLSearchParams(fields)}`]);
      return {
        load: { method: 'POST', path, contentType: FORM_TYPE, bodies, answers: 'ok', size },
        key: await keyOf(peer),
        tokens: [USER],
      };
    },
  },
];

/** @param {import('./peer.js').Peer} peer */
function identityPath(peer) {
  return pathOf(peer, peer.metadata['agent_auth']?.identity_endpoint);
}

/** @param {import('./peer.js').Peer} peer */
function register(peer) {
  return postJson(peer, identityPath(peer), { type: 'anonymous' });
}

/** @param {import('./peer.js').Peer} peer @param {string} assertion */
function exchange(peer, assertion) {
  const path = pathOf(peer, peer.metadata['token_endpoint']);
  return postForm(peer, path, { grant_type: JWT_BEARER, assertion });
}

/**
 * A registration by email, which waits for its claim.
 * @param {import('./peer.js').Peer} peer
 * @param {number} user
 */
async function waitingClaim(peer, user) {
  const members = { type: 'service_auth', login_hint: `user-${user}@example.com` };
  return requireMember(await postJson(peer, identityPath(peer), members), 'claim_token');
}

/**
 * Signs the user in who approves everything, and resolves to the ID token.
 * @param {import('./peer.js').Peer} peer
 * @param {string} tokenPath
 */
async function signIn(peer, tokenPath) {
  const path = pathOf(peer, peer.metadata['device_authorization_endpoint']);
  const asked = await postForm(peer, path, { client_id: CLIENT, scope: 'openid email' });
  const device_code = requireMember(asked, 'device_code');
  const form = { grant_type: DEVICE_CODE, device_code, client_id: CLIENT };
  return requireMember(await postForm(peer, tokenPath, form), 'id_token');
}

/** @param {import('./peer.js').Peer} peer @returns {Promise<import('jose').JWK>} */
async function keyOf(peer) {
  const { body } = await request(peer.origin + pathOf(peer, peer.metadata['jwks_uri']));
  return body['keys'][0];
}

/**
 * @template {{ status: number, body: Record<string, any> }} T
 * @param {Promise<T>} answer
 */
async function expectOk(answer) {
  const { status, body } = await answer;
  if (status >= 200 && status < 300) return answer;
  throw new Error(`The mock answered ${status} ${body['error'] ?? ''}.`);
}
