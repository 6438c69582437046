import { createMockProvider } from 'agent-auth/mock-provider';
import { createMockService, openDatabase } from 'agent-auth/mock-service';
import { silentLog } from 'agent-auth/runtime';
import { fill } from './fill.js';

/**
 * Both mocks on one store of a size, called directly.
 * @typedef {object} Side
 * @property {import('agent-auth/mock-service').Database} db
 * @property {import('./fill.js').Filled} filled
 * @property {import('../rows/id-jags.js').BenchProvider} signer of ID-JAGs and events
 * @property {(sent: Sent) => Promise<Response>} service
 * @property {(sent: Sent) => Promise<Response>} provider
 * @property {() => Promise<void>} restart the service: it looks for what has expired at once
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Sent
 * @property {string} path
 * @property {Record<string, unknown>} [json]
 * @property {Record<string, string>} [form]
 * @property {string} [event]
 * @property {Record<string, string>} [headers]
 */

export const SERVICE = 'https://service.test';
export const PROVIDER = 'https://provider.test';
const CONTROL = { token: 'for-the-bench-and-nobody-else' };
/** Who signs in at the provider, and agrees to everything. */
const USER = 'alice@example.com';

/** With a call of a control. */
export const CONTROLLING = { authorization: `Bearer ${CONTROL.token}` };

/**
 * @param {{ file?: string, address?: string }} place
 * @param {number} count of registrations, and of the provider's users
 * @param {import('../rows/id-jags.js').BenchProvider} signer
 * @returns {Promise<Side>}
 */
export async function openSide(place, count, signer) {
  const db = await openDatabase(place);
  const fetch = async () => Response.json(signer.jwks);
  const shared = { db, control: CONTROL, exchanges: 0, fetch, log: silentLog };
  const newService = () =>
    createMockService({
      ...shared,
      baseUrl: SERVICE,
      trust: [{ issuer: signer.issuer, jwksUri: `${signer.issuer}/jwks` }],
    });
  let service = await newService();
  const provider = await createMockProvider({
    ...shared,
    baseUrl: PROVIDER,
    audiences: 'any',
    autoApprove: USER,
  });
  const filled = { issuer: SERVICE, provider: signer.issuer, now: Date.now() };
  await fill(db, 'service', count, filled);
  await fill(db, 'provider', count, { ...filled, issuer: PROVIDER });
  // As autovacuum does of itself, sooner or later.
  if (place.address !== undefined) await db.transaction((tx) => tx.run('ANALYZE'));
  return {
    db,
    filled,
    signer,
    service: (sent) => service.fetch(toRequest(SERVICE, sent)),
    provider: (sent) => provider.fetch(toRequest(PROVIDER, sent)),
    restart: async () => {
      service = await newService();
    },
    close: async () => {
      await provider.close();
      await db.close();
    },
  };
}

/** @param {string} base @param {Sent} sent */
function toRequest(base, { event, form, headers, json, path }) {
  const url = base + path;
  if (json !== undefined) {
    const type = { 'content-type': 'application/json' };
    const body = JSON.stringify(json);
    return new Request(url, { method: 'POST', headers: { ...type, ...headers }, body });
  }
  if (form !== undefined) {
    const body = new URLSearchParams(form);
    return new Request(url, { method: 'POST', headers: headers ?? {}, body });
  }
  if (event !== undefined) {
    const type = { 'content-type': 'application/secevent+jwt' };
    return new Request(url, { method: 'POST', headers: type, body: event });
  }
  return new Request(url, { headers: headers ?? {} });
}
