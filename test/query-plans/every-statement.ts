import { expect } from 'vitest';
import { createTables, type Database } from '../../src/mock/index.ts';
import { PROVIDER_SCHEMA } from '../../src/mock-provider/store/schema.ts';
import { SERVICE_SCHEMA } from '../../src/mock-service/store/index.ts';
import { type Explain, QueryPlans } from '../support/query-plans.ts';
import { useProvider } from './provider-flows.ts';
import { useService } from './service-flows.ts';
import { sourceStatements } from './source-statements.ts';

/** Of one row. */
const LISTED: readonly string[] = ['directory'];
/** The first rows of an order. What has expired is not there for long. */
const PAGE =
  /^SELECT (?:\*|\w+(?:,\s+\w+)*) FROM \w+(?: WHERE expires_at > \?)? ORDER BY [\w, ]+ LIMIT \?$/;
/** Empties a table, as a reset does. */
const EMPTIES = /^DELETE FROM \w+$/;
/** Read whole, once at the start, or when a key is rotated: a handful of rows. */
const AT_START = /FROM (?:table_sets|signing_keys)\b/;

/** Has both mocks send every statement that is in their source, and the database explain each. */
export async function expectIndexesUsed(db: Database, explain: Explain): Promise<void> {
  // Before anybody watches: tables are made once.
  await createTables(db, [SERVICE_SCHEMA]);
  await createTables(db, [PROVIDER_SCHEMA]);
  const plans = new QueryPlans(db, explain);
  await useService(plans.watched);
  await useProvider(plans.watched);

  const sent = plans.statements;
  const unsent = sourceStatements().filter(({ isIn }) => !sent.some(isIn));
  expect(unsent.map(({ file, sql }) => `${file}: ${sql}`)).toEqual([]);

  const whole = await plans.wholeReads(({ inOrder, table }, sql) => {
    if (EMPTIES.test(sql) || AT_START.test(sql)) return true;
    if (LISTED.includes(table)) return true;
    return inOrder && PAGE.test(sql);
  });
  expect(whole).toEqual([]);
}
