import { expect, it } from 'vitest';
import type { Database, Transaction } from '../../src/mock/store/database.ts';
import { describeWithDatabases } from '../support/postgres.ts';
import { postgresStores } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { Harness } from './harness.ts';

const ALICE = 'alice@example.com';
const CONTROL = { token: 'ctl_for-tests-alone-0123456789' };

/** A promise, and what fulfils it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** A store that counts how often work runs, and holds the next transaction at its end when it is told to. */
function holding(db: Database) {
  const seen = { runs: 0 };
  let next: ((tx: Transaction) => Promise<void>) | undefined;
  const watched =
    <T>(work: (tx: Transaction) => Promise<T>) =>
    async (tx: Transaction): Promise<T> => {
      seen.runs += 1;
      const hold = next;
      next = undefined;
      const result = await work(tx);
      await hold?.(tx);
      return result;
    };
  const store: Database = {
    transaction: (work) => db.transaction(watched(work)),
    isShared: db.isShared,
    read: (work) => db.read(work),
    close: () => db.close(),
  };
  /** @param then what the held transaction does once it is released. */
  const hold = (then: (tx: Transaction) => Promise<unknown> = async () => {}) => {
    const [reached, released] = [gate(), gate()];
    next = async (tx) => {
      reached.open();
      await released.opened;
      await then(tx);
    };
    return { reached: reached.opened, release: released.open };
  };
  return { hold, seen, store };
}

/** Whether some transaction of the server waits for another one. */
async function isWaitedFor(db: Database): Promise<boolean> {
  const row = await db.read((reader) =>
    reader.get('SELECT COUNT(*) AS n FROM pg_locks WHERE NOT granted'),
  );
  return Number(row?.['n']) > 0;
}

describeWithDatabases('transactions that wait for each other', (server) => {
  const newStore = postgresStores(server);

  async function start() {
    const db = await (await newStore())();
    const { hold, seen, store } = holding(db);
    const h = await Harness.start({ db: store, control: CONTROL });
    return { db, h, hold, seen };
  }

  it('a reset waits for requests, and they never for it: none runs twice', async () => {
    const { db, h, hold, seen } = await start();
    seen.runs = 0;
    const held = hold((tx) => tx.run('UPDATE users SET name = NULL'));
    const registered = h.register({ type: 'service_auth', login_hint: ALICE });
    await held.reached;
    const reset = h.service.controls.reset();
    await until(() => isWaitedFor(db));
    held.release();
    expect((await registered).status).toBe(200);
    await reset;
    expect(seen.runs).toBe(2);
    const left = await db.read((reader) => reader.all('SELECT id FROM registrations'));
    expect(left).toEqual([]);
  });

  it('an account stays that a registration names while the link of its provider ends', async () => {
    const { db, h, hold } = await start();
    const named = await h.provider.idJag({ sub: 'first' });
    expect((await h.register({ type: 'identity_assertion', assertion: named })).status).toBe(200);
    const held = hold();
    const registered = h.register({ type: 'service_auth', login_hint: ALICE });
    await held.reached;
    let isDone = false;
    const event = h.provider.event({ sub: 'first' }).then((body) =>
      h.send('POST', '/agent/event/notify', {
        headers: { 'content-type': 'application/secevent+jwt' },
        body,
      }),
    );
    const done = event.then(({ status }) => {
      isDone = true;
      expect(status).toBe(202);
    });
    await until(async () => isDone || (await isWaitedFor(db)));
    held.release();
    expect((await registered).status).toBe(200);
    await done;
    const other = await h.provider.idJag({ sub: 'second' });
    const { body } = await h.register({ type: 'identity_assertion', assertion: other });
    expect(body['error']).toBe('interaction_required');
  });
});
