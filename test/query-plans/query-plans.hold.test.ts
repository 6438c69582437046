import { it } from 'vitest';
import { fill } from '../../bench/million/fill.js';
import { describeWithPostgres } from '../support/postgres.ts';
import { explainOnPostgres } from '../support/query-plans.ts';
import { postgresStores } from '../support/stores.ts';
import { expectIndexesUsed } from './every-statement.ts';

/** Of each mock. With a few rows in a table, to read all of them is best. */
const ROWS = 5_000;

describeWithPostgres('query plans', (server) => {
  const newStore = postgresStores(server);

  it('every statement of both mocks goes by an index, on PostgreSQL', async () => {
    const db = await (await newStore())();
    const issuer = 'https://filled.example';
    const filled = { issuer, provider: issuer, now: Date.now() };
    await expectIndexesUsed(db, explainOnPostgres, {
      sortsListings: true,
      before: async () => {
        await fill(db, 'service', ROWS, filled);
        await fill(db, 'provider', ROWS, filled);
        await db.transaction((tx) => tx.run('ANALYZE'));
      },
    });
  });
});
