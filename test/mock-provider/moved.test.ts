import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/mock/store/database.ts';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import { DAY } from '../../src/protocol/index.ts';
import { Harness, ISSUER, open, SERVICE } from './harness.ts';
import { Receiver } from './outbox/support.ts';

const MOVED = 'https://moved.test';

let db: Database;
let receiver: Receiver;
let before: Harness;
let after: Harness;
beforeEach(async () => {
  db = await openDatabase();
  receiver = new Receiver();
  before = await Harness.start({ db, fetch: receiver.fetch });
  after = await Harness.start({ db, fetch: receiver.fetch, baseUrl: MOVED });
});

const waits = { revoked: true, event: 'pending', event_problem: { code: 'other_issuer' } };

describe('a provider that has moved, with its store', () => {
  it('queues the event for the issuer that named the user, not for its new one', async () => {
    const idToken = await before.signIn();
    const { claims: idJag } = open((await before.mintWithConsent(idToken)).body['access_token']);
    const { body } = await after.revoke(await after.signIn());
    expect(body).toMatchObject(waits);
    expect(receiver.events).toEqual([]);

    expect(await after.provider.outbox.deliverDue()).toEqual([]);
    expect(await before.provider.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
    const { claims } = open(receiver.events[0]);
    expect([claims.iss, claims.sub]).toEqual([ISSUER, idJag.sub]);
  });

  it('tells both, as far as it can, when both were used', async () => {
    await before.consented();
    const idToken = await after.signIn();
    const { claims: idJag } = open((await after.mint(idToken)).body['access_token']);
    expect((await after.revoke(idToken)).body).toMatchObject(waits);
    expect(receiver.events.map((event) => open(event).claims)).toMatchObject([
      { iss: MOVED, sub: idJag.sub },
    ]);
    expect((await after.revoke(idToken)).body).toMatchObject({ ...waits, revoked: false });
    await before.provider.outbox.deliverDue();
    expect((await after.revoke(idToken)).body).toMatchObject({ event: 'delivered' });
    expect(receiver.events).toHaveLength(2);
  });

  it('has forgotten the old issuer once the consent is given again', async () => {
    await before.consented();
    const idToken = await after.signIn();
    await after.revoke(idToken);
    await after.mintWithConsent(idToken);
    after.clock.advance(1000);
    expect((await after.revoke(idToken)).body).toMatchObject({ revoked: true, event: 'delivered' });
  });

  it('speaks for itself where a consent was of no use yet, or is from before this was kept', async () => {
    await before.consented();
    await db.transaction((tx) => tx.run("UPDATE consents SET issuers = ''"));
    expect((await after.revoke(await after.signIn())).body).toMatchObject({ event: 'delivered' });
    expect(open(receiver.events[0]).claims.iss).toBe(MOVED);
  });

  it('says on the page why an event waits, and shows no button that does nothing', async () => {
    await before.consented();
    await after.revoke(await after.signIn());
    const page = () => after.newUser().openSignedIn(`${MOVED}/consents`, 'alice@example.com');
    const waiting = await page();
    expect(waiting.text).toContain(`The service registered you under ${ISSUER}`);
    expect(waiting.document.querySelector('button[value=send_again]')).toBeNull();
    receiver.onEvent = () => new Response(null, { status: 400 });
    await before.provider.outbox.deliverDue();
    const parked = await page();
    expect(parked.text).toContain(`The service registered you under ${ISSUER}`);
    expect(parked.document.querySelector('button[value=send_again]')).toBeNull();
  });
});

describe('--auto-approve', () => {
  const ALICE = 'alice@example.com';
  let harness: Harness;
  beforeEach(async () => {
    harness = await Harness.start({ autoApprove: ALICE, fetch: receiver.fetch });
  });
  const signIn = async (fields = {}) => {
    const { device_code } = await harness.device(fields);
    return String((await harness.poll(device_code)).body['id_token']);
  };

  it('does not give again what its user took back, until it is given on the page', async () => {
    const idToken = await signIn();
    expect((await harness.mint(idToken)).status).toBe(200);
    await harness.revoke(idToken);
    expect((await harness.mint(idToken)).body['error']).toBe('consent_required');
    // Nor by a sign-in that names the audience.
    await signIn({ audience: SERVICE });
    const asked = await harness.mint(idToken);
    expect(asked.body['error']).toBe('consent_required');
    expect((await harness.mint(idToken, { audience: 'https://other.test' })).status).toBe(200);

    await harness.decideConsent(asked);
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it('is overruled for one audience of one user, and for as long as it takes', async () => {
    const idToken = await signIn();
    await harness.mint(idToken);
    await harness.revoke(idToken);
    harness.clock.advance(DAY);
    expect((await harness.mint(await signIn())).body['error']).toBe('consent_required');
  });
});
