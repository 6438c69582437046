import { describe, expect, it } from 'vitest';
import { type AuditEntry, readAudit, recordAudit } from '../../../src/mock/audit/audit.ts';
import type { Database, Transaction } from '../../../src/mock/store/database.ts';
import { createTables } from '../../../src/mock/store/tables.ts';
import { describeWithDatabases } from '../../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../../support/stores.ts';

const OWNER = 'service';

const record = (tx: Transaction, at: number, owner: AuditEntry['owner'] = OWNER) =>
  recordAudit(tx, { owner, at, actor: 'agent', action: 'token.issued' });

/** The number of each entry, and the instant that tells them apart. */
async function trail(db: Database, after = 0): Promise<readonly (readonly number[])[]> {
  const entries = await readAudit(db, { owner: OWNER, after, limit: 100_000 });
  return entries.map(({ at, seq }) => [seq, at]);
}

async function start(newStore: NewStore): Promise<readonly [Database, Database]> {
  const open = await newStore();
  const [one, two] = [await open(), await open()];
  await createTables(one, []);
  return [one, two];
}

function itKeepsATrail(newStore: NewStore): void {
  it('counts up from 1 for each owner, without a gap, whichever process asks', async () => {
    const [one, two] = await start(newStore);
    await one.transaction((tx) => record(tx, 10));
    await two.transaction((tx) => record(tx, 20, 'provider'));
    const undone = one.transaction(async (tx) => {
      await record(tx, 30);
      throw new RangeError('undone');
    });
    await expect(undone).rejects.toThrow(RangeError);
    await two.transaction((tx) => record(tx, 40));
    const read = await Promise.all([trail(one), trail(two), trail(one), trail(two)]);
    for (const each of read) {
      expect(each).toEqual([
        [1, 10],
        [2, 40],
      ]);
    }
  });

  it('keeps the latest entries', async () => {
    const [db] = await start(newStore);
    // Of 10,112 entries, which is 79 times 128, all but the last 10,000 go.
    await db.transaction(async (tx) => {
      for (const seq of [1, 112, 113, 10_111]) {
        await tx.run(
          "INSERT INTO audit (owner, seq, at, actor, action) VALUES (?, ?, ?, 'agent', 'reset')",
          [OWNER, seq, seq],
        );
      }
      await record(tx, 10_112);
    });
    expect(await trail(db)).toEqual([113, 10_111, 10_112].map((seq) => [seq, seq]));
  });
}

describe('the audit trail in SQLite', () => itKeepsATrail(fileStores()));

describeWithDatabases('the audit trail in PostgreSQL', (server) => {
  itKeepsATrail(postgresStores(server));
});
