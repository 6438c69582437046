import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import Libsql from 'libsql';

/**
 * What is sent, and what a bare handler has to know of it.
 * @typedef {object} Prepared
 * @property {'GET' | 'POST'} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {readonly string[]} [bodies] one a connection
 * @property {string} [stored] what the handler has in its store
 * @property {import('jose').JWK} [key] what it verifies with
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {'service' | 'provider'} role
 * @property {object} [options] of the mock
 * @property {(origin: string) => Promise<Prepared>} prepare
 * @property {(prepared: Prepared) => (c: import('hono').Context) => Response | Promise<Response>} bare
 *   the least that a server has to do; nothing is checked that the row does not name
 */

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const CLIENT = 'agent-auth';
const USER = 'alice@example.com';
/** So many exchange: what is locked for one of them holds up no other. */
const AGENTS = 32;
const HOUR = 3600;

/** @type {readonly Row[]} */
export const ROWS = [
  {
    // A protected GET with a token.
    id: 'call',
    role: 'service',
    prepare: async (origin) => {
      const assertion = await register(origin);
      const stored = (await postForm(origin, exchangeOf(assertion))).access_token;
      const headers = { authorization: `Bearer ${stored}` };
      return { method: 'GET', path: '/api/resource', headers, stored };
    },
    bare: ({ stored }) => {
      const select = storeWith(stored).prepare('SELECT id, scope FROM tokens WHERE id = ?');
      return (c) => {
        const token = c.req.header('authorization')?.slice('Bearer '.length);
        return c.json({ found: select.get(token) });
      };
    },
  },
  {
    // An anonymous registration.
    id: 'register',
    role: 'service',
    prepare: async (origin) => {
      const path = pathOf((await metadataOf(origin)).agent_auth.identity_endpoint);
      return { method: 'POST', path, headers: JSON_TYPE, bodies: [ANONYMOUS] };
    },
    bare: () => {
      const insert = insertInto(storeWith());
      const signed = signer();
      return async (c) => {
        const { type } = await c.req.json();
        const id = randomUUID();
        insert.run(id, type, Date.now());
        return c.json({ identity_assertion: signed(id) });
      };
    },
  },
  {
    // An access token for an assertion.
    id: 'exchange',
    role: 'service',
    prepare: async (origin) => {
      const bodies = [];
      while (bodies.length < AGENTS) bodies.push(`${exchangeOf(await register(origin))}`);
      return { ...(await tokenRequest(origin)), bodies, key: await keyOf(origin) };
    },
    bare: ({ key }) => {
      const insert = insertInto(storeWith());
      const isAuthentic = verifier(key);
      return async (c) => {
        const form = new URLSearchParams(await c.req.text());
        if (!isAuthentic(form.get('assertion') ?? '')) return c.json({}, 401);
        const token = randomUUID();
        insert.run(token, 'api.read', Date.now());
        return c.json({ access_token: token });
      };
    },
  },
  {
    // An ID-JAG for an ID token, at the provider.
    id: 'mint',
    role: 'provider',
    options: { autoApprove: USER },
    prepare: async (origin) => {
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: CLIENT,
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        audience: 'https://service.example',
        subject_token: await signIn(origin),
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      });
      const key = await keyOf(origin);
      return { ...(await tokenRequest(origin)), bodies: [`${form}`], stored: USER, key };
    },
    bare: ({ key, stored }) => {
      const select = storeWith(stored).prepare('SELECT id, scope FROM tokens WHERE id = ?');
      const isAuthentic = verifier(key);
      const signed = signer();
      return async (c) => {
        const form = new URLSearchParams(await c.req.text());
        if (!isAuthentic(form.get('subject_token') ?? '')) return c.json({}, 401);
        select.get(stored);
        return c.json({ access_token: signed(randomUUID()) });
      };
    },
  },
];

/** @param {string} id */
export function rowOf(id) {
  const row = ROWS.find((each) => each.id === id);
  if (row === undefined) throw new TypeError(`There is no row ${id}.`);
  return row;
}

const ANONYMOUS = '{"type":"anonymous"}';

/** @param {string} assertion */
function exchangeOf(assertion) {
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  return new URLSearchParams({ grant_type, assertion });
}

/** @param {string} origin @returns {Promise<Record<string, any>>} */
function metadataOf(origin) {
  return read(fetch(`${origin}/.well-known/oauth-authorization-server`));
}

/** @param {string} url */
function pathOf(url) {
  return new URL(url).pathname;
}

/** @param {string} origin @returns {Promise<string>} the assertion */
async function register(origin) {
  const { agent_auth } = await metadataOf(origin);
  const init = { method: 'POST', headers: JSON_TYPE, body: ANONYMOUS };
  return (await read(fetch(agent_auth.identity_endpoint, init))).identity_assertion;
}

/** @param {string} origin @returns {Promise<Pick<Prepared, 'method' | 'path' | 'headers'>>} */
async function tokenRequest(origin) {
  const { token_endpoint } = await metadataOf(origin);
  return { method: 'POST', path: pathOf(token_endpoint), headers: FORM_TYPE };
}

/** @param {string} origin @param {URLSearchParams} body */
async function postForm(origin, body) {
  return read(fetch((await metadataOf(origin)).token_endpoint, { method: 'POST', body }));
}

/** Signs the user in who approves everything. @param {string} origin @returns {Promise<string>} the ID token */
async function signIn(origin) {
  const { device_authorization_endpoint } = await metadataOf(origin);
  const body = new URLSearchParams({ client_id: CLIENT, scope: 'openid email' });
  const { device_code } = await read(
    fetch(device_authorization_endpoint, { method: 'POST', body }),
  );
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const form = new URLSearchParams({ grant_type, device_code, client_id: CLIENT });
  return (await postForm(origin, form)).id_token;
}

/** @param {string} origin @returns {Promise<import('jose').JWK>} */
async function keyOf(origin) {
  return (await read(fetch((await metadataOf(origin)).jwks_uri))).keys[0];
}

/** @param {Promise<Response>} answering @returns {Promise<Record<string, any>>} */
async function read(answering) {
  const answer = await answering;
  if (answer.ok) return /** @type {Record<string, any>} */ (await answer.json());
  throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
}

/** @param {string} [token] */
function storeWith(token) {
  const store = new Libsql(':memory:');
  store.exec('CREATE TABLE tokens (id TEXT PRIMARY KEY, scope TEXT, at BIGINT) WITHOUT ROWID');
  if (token !== undefined) insertInto(store).run(token, 'api.read', 0);
  return store;
}

/** @param {Libsql.Database} store */
function insertInto(store) {
  return store.prepare('INSERT INTO tokens (id, scope, at) VALUES (?, ?, ?)');
}

/** ES256, at once: faster than the thread pool for something this short. */
function signer() {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = part({ alg: 'ES256', typ: 'JWT', kid: 'bare' });
  return (/** @type {string} */ subject) => {
    const now = Math.floor(Date.now() / 1000);
    const input = `${header}.${part({ sub: subject, iat: now, exp: now + HOUR })}`;
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };
}

/** @param {import('jose').JWK} [jwk] */
function verifier(jwk) {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return (/** @type {string} */ jwt) => {
    const end = jwt.lastIndexOf('.');
    const signature = Buffer.from(jwt.slice(end + 1), 'base64url');
    const input = Buffer.from(jwt.slice(0, end));
    return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);
  };
}

/** @param {object} value */
function part(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
