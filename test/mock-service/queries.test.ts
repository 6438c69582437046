import { expect, it } from 'vitest';
import {
  type Database,
  openDatabase,
  type Row,
  type Transaction,
  type Value,
} from '../../src/mock/index.ts';
import { STORIES } from '../contract/stories.ts';
import { Harness } from './harness.ts';

it('every lookup of every flow goes by an index', async () => {
  const db = await openDatabase();
  const seen = new Map<string, readonly Value[]>();
  const h = await Harness.start({
    db: watched(db, seen),
    rateLimit: true,
    users: [{ email: 'known@example.com' }],
  });
  for (const story of Object.values(STORIES)) {
    await story({ fetch: h.service.fetch, clock: h.clock, provider: h.provider });
  }
  const person = h.person();
  await person.openSignedIn('https://service.test/connections', 'alice@example.com');

  const scans: string[] = [];
  for (const [sql, params] of seen) {
    if (!/^\s*(SELECT|UPDATE|DELETE)/.test(sql)) continue;
    const plan = await explain(db, sql, params);
    // `migrations` and an owner's keys are read whole, once at the start.
    const scan = plan.some(({ detail }) =>
      /^SCAN (?!migrations|signing_keys)/.test(String(detail)),
    );
    if (scan) scans.push(sql);
  }
  expect(seen.size).toBeGreaterThan(30);
  expect(scans).toEqual([]);
  await db.close();
});

/** SQLite does not commit while it explains a write: the plan leaves the transaction by a throw. */
async function explain(
  db: Database,
  sql: string,
  params: readonly Value[],
): Promise<readonly Row[]> {
  let plan: readonly Row[] = [];
  const undone = db.transaction(async (tx) => {
    plan = await tx.all(`EXPLAIN QUERY PLAN ${sql}`, params);
    throw new Error('explained');
  });
  await expect(undone).rejects.toThrow('explained');
  return plan;
}

function watched(db: Database, seen: Map<string, readonly Value[]>): Database {
  const watch = (tx: Transaction): Transaction => ({
    get: (sql, params = []) => tx.get(note(sql, params), params),
    all: (sql, params = []) => tx.all(note(sql, params), params),
    run: (sql, params = []) => tx.run(note(sql, params), params),
  });
  const note = (sql: string, params: readonly Value[]) => {
    seen.set(sql, params);
    return sql;
  };
  return {
    transaction: (work) => db.transaction((tx) => work(watch(tx))),
    close: () => db.close(),
  };
}
