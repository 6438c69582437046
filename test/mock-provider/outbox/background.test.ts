import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { MINUTE, SECOND } from '../../../src/protocol/index.ts';
import { until } from '../../support/until.ts';
import { Harness } from '../harness.ts';
import { ManualSleep, Receiver, refusedConnection, settled } from './support.ts';

const FIRST_LIMIT = 5 * SECOND;
const LATER_LIMIT = MINUTE / 2;

let receiver: Receiver;
let time: ManualSleep;
let harness: Harness;
beforeEach(async () => {
  receiver = new Receiver();
  time = new ManualSleep();
  harness = await Harness.start({ fetch: receiver.fetch, sleep: time.sleep });
});

const states = async () => (await harness.provider.outbox.list()).map(({ state }) => state);
const deliveredSoon = () => until(async () => (await states())[0] === 'delivered');

describe('in the background', () => {
  it('what failed is sent again when its time comes, without anybody asking', async () => {
    receiver.onEvent = () => new Response(null, { status: 503 });
    await harness.revoke(await harness.consented());
    expect(await states()).toEqual(['pending']);
    await until(() => time.waits.length > 0);
    receiver.onEvent = () => new Response(null, { status: 202 });
    harness.clock.advance(MINUTE);
    for (const ms of time.waits) time.pass(ms);
    await deliveredSoon();
    await harness.provider.close();
  });

  it('nothing happens while nothing is pending', async () => {
    await harness.revoke(await harness.consented());
    await settled();
    expect(await states()).toEqual(['delivered']);
    expect(time.waits).toEqual([]);
    await harness.provider.close();
  });

  it('what another process left is found with the next request', async () => {
    receiver.onEvent = refusedConnection;
    const db = await openDatabase();
    const killed = await Harness.start({ fetch: receiver.fetch, db });
    harness = await Harness.start({ fetch: receiver.fetch, sleep: time.sleep, db });
    await settled();
    await killed.revoke(await killed.consented());
    receiver.onEvent = () => new Response(null, { status: 202 });
    harness.clock.advance(MINUTE);
    await harness.send('GET', '/');
    await deliveredSoon();
    await harness.provider.close();
  });

  it('an attempt has a limit, also when fetch heeds no signal', async () => {
    receiver.onEvent = () => new Promise(() => {});
    const revoking = harness.revoke(await harness.consented());
    await until(() => receiver.events.length === 1);
    expect(time.waits).toEqual([FIRST_LIMIT]);
    time.pass(FIRST_LIMIT);
    expect((await revoking).body).toMatchObject({
      event: 'pending',
      event_problem: { code: 'network_timeout' },
    });
    await until(() => time.waits.length > 0);
    harness.clock.advance(MINUTE);
    for (const ms of time.waits) time.pass(ms);
    await until(() => receiver.events.length === 2);
    expect(time.waits).toContain(LATER_LIMIT);
    await harness.provider.close();
  });

  it('closing gives up what is under way: that attempt failed, and is followed by another one', async () => {
    receiver.onEvent = () => new Promise(() => {});
    const revoking = harness.revoke(await harness.consented());
    await until(() => receiver.events.length === 1);
    const { outbox } = harness.provider;
    await outbox.close();
    expect((await revoking).body['event']).toBe('pending');
    expect(await outbox.list()).toMatchObject([
      { state: 'pending', attempts: 1, problem: { code: 'network_aborted' } },
    ]);
    await harness.provider.close();
    expect(time.waits).toEqual([]);
  });

  /** A provider whose store can be broken. */
  async function startBreakable() {
    const db = await openDatabase();
    const store = { isBroken: false };
    const fail = () => Promise.reject(new TypeError('broken'));
    harness = await Harness.start({
      fetch: receiver.fetch,
      sleep: time.sleep,
      db: {
        transaction: async (work) => (store.isBroken ? fail() : db.transaction(work)),
        read: async (work) => (store.isBroken ? fail() : db.read(work)),
        isShared: false,
        close: () => db.close(),
      },
    });
    return store;
  }

  it('said nothing of why the result of an attempt could not be stored', async () => {
    const store = await startBreakable();
    receiver.onEvent = () => {
      store.isBroken = true;
      return new Response(null, { status: 202 });
    };
    const idToken = await harness.consented();
    await harness.revoke(idToken);
    const unsettled = harness.log.entries.find(({ event }) => event === 'provider.event_unsettled');
    expect(unsettled?.fields).toMatchObject({ name: 'TypeError' });
    store.isBroken = false;
    await harness.provider.close();
  });

  it('trouble with the store does not end it', async () => {
    const store = await startBreakable();
    receiver.onEvent = refusedConnection;
    await harness.revoke(await harness.consented());
    await until(() => time.waits.length > 0);
    store.isBroken = true;
    harness.clock.advance(MINUTE);
    for (const ms of time.waits) time.pass(ms);
    await until(() => harness.log.entries.some(({ event }) => event === 'provider.outbox_trouble'));
    store.isBroken = false;
    receiver.onEvent = () => new Response(null, { status: 202 });
    await until(() => time.waits.length > 0);
    for (const ms of time.waits) time.pass(ms);
    await deliveredSoon();
    await harness.provider.close();
  });
});
