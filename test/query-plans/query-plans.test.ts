import { it } from 'vitest';
import { openDatabase } from '../../src/mock/index.ts';
import { explainOnSqlite } from '../support/query-plans.ts';
import { expectIndexesUsed } from './every-statement.ts';

it('every statement of both mocks goes by an index, on SQLite', async () => {
  const db = await openDatabase();
  await expectIndexesUsed(db, explainOnSqlite);
  await db.close();
});
