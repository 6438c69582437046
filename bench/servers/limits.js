import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import Libsql from 'libsql';

/**
 * @typedef {object} LimitSettings
 * @property {string} row
 * @property {string} method
 * @property {string} path
 * @property {number} size of the document to answer, in bytes
 * @property {import('jose').JWK} key the public one of what has to be verified
 * @property {readonly string[]} tokens what is in the store
 *
 * @typedef {(c: import('hono').Context) => Response | Promise<Response>} Handler
 */

const JSON_HEADERS = { 'content-type': 'application/json' };
const HOUR = 3600;

/**
 * The least that a server has to do for each row, by its id. Nothing is checked that the row does not name.
 * @type {Record<string, (settings: LimitSettings) => Handler>}
 */
export const LIMITS = {
  metadata: ({ size }) => {
    const document = padded({ issuer: 'http://127.0.0.1' }, size);
    return (c) => c.body(document, 200, JSON_HEADERS);
  },

  call: ({ size, tokens }) => {
    const select = storeWith(tokens).prepare('SELECT id, scope FROM tokens WHERE id = ?');
    return (c) => {
      const token = c.req.header('authorization')?.slice('Bearer '.length);
      return answer(c, 200, { found: select.get(token) }, size);
    };
  },

  poll: ({ size, tokens }) => {
    const update = storeWith(tokens).prepare('UPDATE tokens SET at = ? WHERE id = ?');
    return async (c) => {
      const form = new URLSearchParams(await c.req.text());
      update.run(Date.now(), form.get('claim_token'));
      return answer(c, 400, { error: 'authorization_pending' }, size);
    };
  },

  register: ({ size }) => {
    const insert = insertInto(storeWith([]));
    const signed = signer();
    return async (c) => {
      const { type } = await c.req.json();
      const id = randomUUID();
      insert.run(id, type, Date.now());
      return answer(c, 200, { identity_assertion: signed(id) }, size);
    };
  },

  exchange: ({ key, size }) => {
    const insert = insertInto(storeWith([]));
    const isAuthentic = verifier(key);
    return async (c) => {
      const form = new URLSearchParams(await c.req.text());
      if (!isAuthentic(form.get('assertion') ?? '')) return c.json({}, 401);
      const token = randomUUID();
      insert.run(token, 'api.read', Date.now());
      return answer(c, 200, { access_token: token }, size);
    };
  },

  mint: ({ key, size, tokens }) => {
    const select = storeWith(tokens).prepare('SELECT id, scope FROM tokens WHERE id = ?');
    const isAuthentic = verifier(key);
    const signed = signer();
    return async (c) => {
      const form = new URLSearchParams(await c.req.text());
      if (!isAuthentic(form.get('subject_token') ?? '')) return c.json({}, 401);
      select.get(tokens[0]);
      return answer(c, 200, { access_token: signed(randomUUID()) }, size);
    };
  },
};

/** @param {readonly string[]} tokens */
function storeWith(tokens) {
  const store = new Libsql(':memory:');
  store.exec('CREATE TABLE tokens (id TEXT PRIMARY KEY, scope TEXT, at BIGINT) WITHOUT ROWID');
  const insert = insertInto(store);
  for (const token of tokens) insert.run(token, 'api.read', 0);
  return store;
}

/** @param {Libsql.Database} store */
function insertInto(store) {
  return store.prepare('INSERT INTO tokens (id, scope, at) VALUES (?, ?, ?)');
}

/** ES256, at once: faster than the thread pool for something this short. */
function signer() {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = part({ alg: 'ES256', typ: 'JWT', kid: 'limit' });
  return (/** @type {string} */ subject) => {
    const now = Math.floor(Date.now() / 1000);
    const input = `${header}.${part({ sub: subject, iat: now, exp: now + HOUR })}`;
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };
}

/** @param {import('jose').JWK} jwk */
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

/**
 * @param {import('hono').Context} c
 * @param {200 | 400} status
 * @param {object} members
 * @param {number} size
 */
function answer(c, status, members, size) {
  return c.body(padded(members, size), status, JSON_HEADERS);
}

/**
 * A document of a size, as JSON.
 * @param {object} members
 * @param {number} size in bytes
 */
function padded(members, size) {
  const text = JSON.stringify(members);
  const room = size - text.length - ',"pad":""'.length;
  return room < 0 ? text : `${text.slice(0, -1)},"pad":"${'x'.repeat(room)}"}`;
}
