import { spread } from '../measure/statistics.js';
import { ENDPOINTS } from './endpoints.js';
import { addExpired } from './fill.js';

/**
 * @typedef {import('../measure/statistics.js').Spread} Spread
 *
 * What one endpoint takes on both sides, in microseconds.
 * @typedef {object} EndpointResult
 * @property {string} id
 * @property {Spread} few
 * @property {Spread} many
 * @property {number} ratio of the medians, many to few
 *
 * How long registrations took while what had expired was removed, and just before it expired: milliseconds.
 * @typedef {object} PurgeResult
 * @property {number} expired rows
 * @property {number} requests until all of them were gone
 * @property {number} heldUp of them, by more than 10 ms
 * @property {Spread} purging
 * @property {Spread} usual of 1000 requests
 */

/** Before those that count. */
const WARM_UP = 10;
const USUAL = 1000;
/**
 * What is stored by an endpoint, and the tables whose expired rows go with it.
 * @typedef {{ id: string, columns: Record<string, string> }} Expiring
 */
const EXPIRES = 'expires_at';
/** @type {Expiring} */
const SERVICE = {
  id: 'register anonymous',
  columns: {
    access_tokens: EXPIRES,
    assertions: EXPIRES,
    refresh_tokens: EXPIRES,
    used_jtis: EXPIRES,
    subject_revocations: EXPIRES,
    rate_counters: EXPIRES,
    mails: EXPIRES,
    registrations: 'purge_at',
  },
};
/** @type {Expiring} */
const PROVIDER = {
  id: 'provider: device authorization',
  columns: {
    device_codes: 'purge_at',
    code_tries: EXPIRES,
    sign_in_tokens: EXPIRES,
    consent_requests: EXPIRES,
  },
};
/** Milliseconds. */
const HELD_UP = 10;
/** Rows are counted no more often: that takes longer than a request. */
const LOOKED_AT_EACH = 50;

/**
 * Each endpoint on both sides in turn.
 * @param {import('./side.js').Side} few
 * @param {import('./side.js').Side} many
 * @param {number} calls of each endpoint on each side
 * @param {(result: EndpointResult) => void} tell
 */
export async function compareSizes(few, many, calls, tell) {
  // What removing takes is measured apart.
  for (const side of [few, many]) {
    await removeExpired(side, SERVICE);
    await removeExpired(side, PROVIDER);
  }
  /** @type {EndpointResult[]} */
  const results = [];
  for (const endpoint of ENDPOINTS) {
    const sides = [];
    for (const side of [few, many]) {
      /** @type {number[]} */
      const taken = [];
      sides.push({ side, next: await endpoint.prepare(side), taken });
    }
    for (let call = -WARM_UP; call < calls; call += 1) {
      for (const { next, side, taken } of call % 2 === 0 ? sides : sides.toReversed()) {
        const time = await timed(side, endpoint, await next());
        if (call >= 0) taken.push(time);
      }
    }
    const [small, large] = sides.map(({ taken }) => spread(taken));
    if (small === undefined || large === undefined) continue;
    const ratio = large.median / small.median;
    const result = { id: endpoint.id, few: small, many: large, ratio };
    results.push(result);
    tell(result);
  }
  return results;
}

/**
 * Expires rows at once, and registers until none of them is left.
 * @param {import('./side.js').Side} side
 * @param {number} expired rows
 * @returns {Promise<PurgeResult>}
 */
export async function measurePurge(side, expired) {
  const once = await storing(side, SERVICE);
  /** @type {number[]} */
  const usual = [];
  while (usual.length < USUAL) usual.push(await once());
  await addExpired(side.db, expired, side.filled);
  const added = await expiredRows(side, SERVICE);
  await side.restart();
  const purging = await removeExpired(side, SERVICE);
  const { median } = spread(usual);
  return {
    expired: added,
    requests: purging.length,
    heldUp: purging.filter((time) => time > median + HELD_UP).length,
    purging: spread(purging),
    usual: spread(usual),
  };
}

/**
 * Stores something, again and again, until nothing is left that has expired.
 * @param {import('./side.js').Side} side
 * @param {Expiring} expiring
 * @returns {Promise<number[]>} what each request took, in milliseconds
 */
async function removeExpired(side, expiring) {
  const once = await storing(side, expiring);
  /** @type {number[]} */
  const taken = [];
  do {
    for (let n = 0; n < LOOKED_AT_EACH; n += 1) taken.push(await once());
  } while ((await expiredRows(side, expiring)) > 0);
  return taken;
}

/**
 * @param {import('./side.js').Side} side
 * @param {Expiring} expiring
 * @returns {Promise<() => Promise<number>>} resolves to milliseconds
 */
async function storing(side, { id }) {
  const endpoint = ENDPOINTS.find((each) => each.id === id);
  if (endpoint === undefined) throw new Error(`There is no endpoint ${id}.`);
  const next = await endpoint.prepare(side);
  return async () => (await timed(side, endpoint, await next())) / 1000;
}

/** @param {import('./side.js').Side} side @param {Expiring} expiring */
async function expiredRows({ db, filled }, { columns }) {
  const counts = Object.entries(columns).map(
    ([table, column]) => `(SELECT COUNT(*) FROM ${table} WHERE ${column} <= ?)`,
  );
  const instants = counts.map(() => filled.now);
  const sql = `SELECT ${counts.join(' + ')} AS n`;
  const row = await db.read((reader) => reader.get(sql, instants));
  return Number(row?.['n']);
}

/**
 * @param {import('./side.js').Side} side
 * @param {import('./endpoints.js').Endpoint} endpoint
 * @param {import('./side.js').Sent} sent
 * @returns {Promise<number>} microseconds to the end of the answer
 */
async function timed(side, { at, id, status = 200 }, sent) {
  const start = process.hrtime.bigint();
  const response = await side[at](sent);
  const text = await response.text();
  const end = process.hrtime.bigint();
  if (response.status !== status) throw new Error(`${id} answered ${response.status}: ${text}`);
  return Number(end - start) / 1000;
}
