import { expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/index.ts';
import { MINUTE } from '../../src/protocol/index.ts';
import { QueryPlans } from '../support/query-plans.ts';
import { Harness, ISSUER } from './harness.ts';
import { deliverDue, Receiver, refusedConnection } from './outbox/support.ts';

it('every lookup goes by an index', async () => {
  const db = await openDatabase();
  const plans = new QueryPlans(db);
  const receiver = new Receiver();
  const harness = await Harness.start({
    db: plans.watched,
    fetch: receiver.fetch,
    users: [{ email: 'known@example.com' }],
  });
  const { outbox } = harness.provider;
  await harness.decideDevice(await harness.device(), 'bob@example.com', 'deny');
  const device = await harness.device({ audience: 'https://third.test' });
  await harness.decideDevice(device, 'alice@example.com', 'approve');
  const { body } = await harness.poll(device.device_code);
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  expect((await harness.send('GET', '/oauth2/userinfo', { headers })).status).toBe(200);
  const idToken = await harness.consented();
  await harness.decideConsent(
    await harness.mint(idToken, { audience: 'https://other.test' }),
    'alice@example.com',
    'deny',
  );
  await harness.mint(idToken, { audience: 'https://other.test' });
  receiver.onEvent = refusedConnection;
  await harness.revoke(idToken);
  await harness.revoke(idToken);
  await harness.newUser().openSignedIn(`${ISSUER}/consents`, 'alice@example.com');
  harness.clock.advance(MINUTE);
  receiver.onEvent = () => new Response(null, { status: 400 });
  const [entry] = await deliverDue(outbox);
  await outbox.sendAgain(entry?.id ?? '');

  expect(plans.size).toBeGreaterThan(30);
  // Read whole, once at the start.
  expect(await plans.scans(['migrations', 'signing_keys'])).toEqual([]);
  await db.close();
});
