import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { column, type Database } from '../../src/mock/store/database.ts';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import { DAY, HOUR } from '../../src/protocol/index.ts';
import { connected } from '../support/connected.ts';
import { BASE, Harness } from './harness.ts';

let db: Database;
let h: Harness;
beforeEach(async () => {
  db = await openDatabase();
  h = await Harness.start({ db, rateLimit: true });
});
afterEach(() => db.close());

const from = async (ip: string): Promise<number> => {
  const request = new Request(`${BASE}/agent/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"type":"anonymous"}',
  });
  return (await h.service.fetch(connected(request, { ip }))).status;
};

const rowsOf = async (table: string): Promise<number> => {
  const row = await db.read((reader) => reader.get(`SELECT COUNT(*) AS n FROM ${table}`));
  return column.number(row?.['n']);
};

describe('anonymous registrations', () => {
  it('are a hundred in an hour, from however many IP addresses', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 101; n += 1) statuses.push(await from(`10.0.0.${n}`));
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.at(-1)).toBe(429);
  });

  it('stop where ten thousand wait to be claimed', async () => {
    const windowEnd = h.clock.now() + DAY;
    await db.transaction((tx) =>
      tx.run(
        `INSERT INTO registrations (id, registration, created_at, purge_at)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
         SELECT 'reg_' || n, '{}', ?, ? FROM numbers`,
        [h.clock.now(), windowEnd + 7 * DAY],
      ),
    );
    expect(await from('10.0.0.1')).toBe(200);
    expect(await from('10.0.0.2')).toBe(429);
  });

  it('leave no counter behind once its hour is over', async () => {
    for (let n = 0; n < 6; n += 1) await from(`10.0.0.${n}`);
    const busy = await rowsOf('rate_counters');
    h.clock.advance(HOUR);
    await from('10.0.0.1');
    expect(busy).toBe(7);
    expect(await rowsOf('rate_counters')).toBe(2);
  });
});

describe('a registration that was claimed', () => {
  it('outlives the time for which an unclaimed one is kept', async () => {
    const { claim_token: claimToken } = await h.claimedAnonymous();
    const { identity_assertion: assertion } = await h.collect(claimToken);
    await h.register({ type: 'anonymous' });
    h.clock.advance(9 * DAY);
    await h.register({ type: 'anonymous' });
    expect((await h.exchange(assertion)).status).toBe(200);
    // The one that nobody claimed is gone by then.
    expect(await rowsOf('registrations')).toBe(2);
  });
});
