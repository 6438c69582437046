/**
 * What a service or provider says of itself, and how it is asked.
 * @typedef {object} Peer
 * @property {string} origin that is asked
 * @property {Record<string, any>} metadata of the authorization server (RFC 8414)
 */

const METADATA = '/.well-known/oauth-authorization-server';

/** @param {string} origin @returns {Promise<Peer>} */
export async function discover(origin) {
  const { body } = await request(origin + METADATA);
  return { origin, metadata: body };
}

/**
 * The path of an endpoint, below the origin that is asked.
 * @param {Peer} peer
 * @param {unknown} url as the metadata has it
 */
export function pathOf({ origin }, url) {
  if (typeof url !== 'string') throw new Error('The metadata names no such endpoint.');
  const { pathname, search } = new URL(url, origin);
  return pathname + search;
}

/**
 * @param {Peer} peer
 * @param {string} path
 * @param {Record<string, unknown>} members
 */
export function postJson({ origin }, path, members) {
  const headers = { 'content-type': 'application/json' };
  return request(origin + path, { method: 'POST', headers, body: JSON.stringify(members) });
}

/**
 * @param {Peer} peer
 * @param {string} path
 * @param {Record<string, string>} fields
 */
export function postForm({ origin }, path, fields) {
  return request(origin + path, { method: 'POST', body: new URLSearchParams(fields) });
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<{ status: number, size: number, body: Record<string, any> }>}
 */
export async function request(url, init) {
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, size: bytes.length, body: readJson(bytes.toString()) };
}

/** @param {string} text */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * @param {{ status: number, body: Record<string, any> }} answer
 * @param {string} member
 * @returns {string}
 */
export function requireMember({ status, body }, member) {
  const value = body[member];
  if (typeof value === 'string') return value;
  throw new Error(`The mock answered ${status} ${body['error'] ?? ''} without ${member}.`);
}
