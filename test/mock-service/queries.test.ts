import { expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/index.ts';
import { DIRECTORY_TABLES } from '../../src/mock-service/directory/schema.ts';
import { FLOWS } from '../contract/flows.ts';
import { QueryPlans } from '../support/query-plans.ts';
import { Harness } from './harness.ts';

it('every lookup of every flow goes by an index', async () => {
  const db = await openDatabase();
  const plans = new QueryPlans(db);
  const h = await Harness.start({
    db: plans.watched,
    rateLimit: true,
    users: [{ email: 'known@example.com' }],
  });
  for (const flow of Object.values(FLOWS)) {
    await flow({ fetch: h.service.fetch, clock: h.clock, provider: h.provider });
  }
  const user = h.user();
  await user.openSignedIn('https://service.test/connections', 'alice@example.com');

  expect(plans.size).toBeGreaterThan(30);
  // Read whole, once at the start.
  const atStart = ['migrations', 'signing_keys'];
  // What a listing lists; its counter and its lookups are not among them.
  const listed = DIRECTORY_TABLES.filter((table) => table !== 'directory_requests');
  expect(await plans.scans(atStart, listed)).toEqual([]);
  await db.close();
});
