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
 * @property {Spread} purging
 * @property {Spread} usual of 1000 requests
 */

/** Before those that count. */
const WARM_UP = 10;
const USUAL = 1000;
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
  const register = ENDPOINTS.find(({ id }) => id === 'register anonymous');
  if (register === undefined) throw new Error('Nothing registers.');
  const next = await register.prepare(side);
  const once = async () => (await timed(side, register, await next())) / 1000;
  while ((await expiredRows(side)) > 0) for (let n = 0; n < LOOKED_AT_EACH; n += 1) await once();
  /** @type {number[]} */
  const usual = [];
  while (usual.length < USUAL) usual.push(await once());
  await addExpired(side.db, expired, side.filled);
  const added = await expiredRows(side);
  /** @type {number[]} */
  const purging = [];
  do {
    for (let n = 0; n < LOOKED_AT_EACH; n += 1) purging.push(await once());
  } while ((await expiredRows(side)) > 0);
  return {
    expired: added,
    requests: purging.length,
    purging: spread(purging),
    usual: spread(usual),
  };
}

/** @param {import('./side.js').Side} side */
async function expiredRows({ db, filled }) {
  const counts = [
    ...['access_tokens', 'used_jtis'].map(
      (table) => `SELECT COUNT(*) FROM ${table} WHERE expires_at <= ?`,
    ),
    'SELECT COUNT(*) FROM registrations WHERE purge_at <= ?',
  ];
  const sql = `SELECT ${counts.map((count) => `(${count})`).join(' + ')} AS n`;
  const row = await db.read((reader) =>
    reader.get(
      sql,
      counts.map(() => filled.now),
    ),
  );
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
