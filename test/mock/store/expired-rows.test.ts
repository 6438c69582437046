import { describe, expect, it } from 'vitest';
import { ExpiredRows } from '../../../src/mock/store/atomic-store.ts';
import { column, type Database } from '../../../src/mock/store/database.ts';
import { DAY, MINUTE } from '../../../src/protocol/index.ts';
import { describeWithDatabases } from '../../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../../support/stores.ts';

const NOW = 1_800_000_000_000;

function itForgets(newStore: NewStore): void {
  async function start() {
    const db = await (await newStore())();
    await db.transaction(async (tx) => {
      await tx.run('CREATE TABLE one (id TEXT PRIMARY KEY, ends_at BIGINT)');
      await tx.run(
        'CREATE TABLE two (kind TEXT, id TEXT, ends_at BIGINT NOT NULL, PRIMARY KEY (kind, id))',
      );
    });
    const expired = new ExpiredRows([
      { name: 'one', key: 'id', columns: '', endsAt: 'ends_at' },
      { name: 'two', key: 'kind, id', columns: '', endsAt: 'ends_at' },
    ]);
    const remove = (now: number) => db.transaction((tx) => expired.remove(tx, now));
    return { db, remove };
  }

  const store = (db: Database, id: string, endsAt: number | null) =>
    db.transaction((tx) => tx.run('INSERT INTO one VALUES (?, ?)', [id, endsAt]));

  async function left(db: Database, table = 'one'): Promise<readonly string[]> {
    const rows = await db.read((reader) => reader.all(`SELECT id FROM ${table} ORDER BY id`));
    return rows.map(({ id }) => column.text(id));
  }

  it('removes what has ended, and nothing else', async () => {
    const { db, remove } = await start();
    await store(db, 'over', NOW);
    await store(db, 'active', NOW + 1);
    await store(db, 'endless', null);
    await db.transaction((tx) =>
      tx.run(`INSERT INTO two VALUES ('a', 'x', ?), ('a', 'y', ?), ('b', 'y', ?)`, [
        NOW - 1,
        NOW - 2,
        NOW + 1,
      ]),
    );
    await remove(NOW);
    expect(await left(db)).toEqual(['active', 'endless']);
    expect(await left(db, 'two')).toEqual(['y']);
  });

  it('looks again a minute later, and when the clock was set back', async () => {
    const { db, remove } = await start();
    await remove(NOW);
    await store(db, 'over', NOW - DAY);
    await remove(NOW + MINUTE - 1);
    expect(await left(db)).toEqual(['over']);
    await remove(NOW + MINUTE);
    expect(await left(db)).toEqual([]);
    await store(db, 'over', NOW - DAY);
    await remove(NOW - 1);
    expect(await left(db)).toEqual([]);
  });

  it('removes eight rows of a table at once, and the next ones with what comes next', async () => {
    const { db, remove } = await start();
    await db.transaction(async (tx) => {
      for (let n = 0; n < 12; n += 1) {
        await tx.run('INSERT INTO one VALUES (?, ?)', [`one ${n}`, NOW - n]);
        await tx.run('INSERT INTO two VALUES (?, ?, ?)', ['a', `two ${n}`, NOW - n]);
      }
    });
    const counts: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await remove(NOW);
      counts.push((await left(db)).length + (await left(db, 'two')).length);
    }
    expect(counts).toEqual([8, 0, 0]);
  });
}

describe('expired rows in SQLite', () => itForgets(fileStores()));
describeWithDatabases('expired rows in PostgreSQL', (server) => itForgets(postgresStores(server)));
