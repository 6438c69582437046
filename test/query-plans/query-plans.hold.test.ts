import { it } from 'vitest';
import { describeWithPostgres } from '../support/postgres.ts';
import { explainOnPostgres } from '../support/query-plans.ts';
import { postgresStores } from '../support/stores.ts';
import { expectIndexesUsed } from './every-statement.ts';

describeWithPostgres('query plans', (server) => {
  const newStore = postgresStores(server);

  it('every statement of both mocks goes by an index, on PostgreSQL', async () => {
    const db = await (await newStore())();
    await expectIndexesUsed(db, explainOnPostgres);
  });
});
