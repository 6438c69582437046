import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, StoreBusyError } from '../../../src/mock/store/database.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/protocol/index.ts';
import { NetworkError } from '../../../src/runtime/index.ts';
import { until } from '../../support/until.ts';
import { Harness, ISSUER, open, SERVICE } from '../harness.ts';
import { json, metadata, Receiver, refusedConnection } from './support.ts';

let db: Database;
let receiver: Receiver;
let harness: Harness;
beforeEach(async () => {
  db = await openDatabase();
  receiver = new Receiver();
  harness = await Harness.start({ db, fetch: (url, init) => receiver.fetch(url, init) });
});

const states = async () => (await harness.provider.outbox.list()).map(({ state }) => state);

/** Never answers. */
const silence = () => new Promise<Response>(() => {});

describe('an event that was never sent', () => {
  const someoneElseRevokes = async (at = harness) => {
    await at.revoke(await at.consented('other@example.com'));
  };

  it('is not deleted, however long its provider was away', async () => {
    receiver.onEvent = refusedConnection;
    await harness.revoke(await harness.consented());
    harness.clock.advance(40 * DAY);
    receiver.onEvent = new Receiver().onEvent;
    await someoneElseRevokes();
    expect(await states()).toEqual(['delivered', 'pending']);
    expect(await harness.provider.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
  });

  it('is not kept for ever when it is of an issuer that is no longer used', async () => {
    receiver.onEvent = refusedConnection;
    await harness.revoke(await harness.consented());
    const moved = await Harness.start({
      db,
      fetch: receiver.fetch,
      baseUrl: 'https://moved.test',
    });
    moved.clock.advance(36 * DAY);
    await someoneElseRevokes(moved);
    expect(await states()).toHaveLength(2);
    moved.clock.advance(2 * DAY);
    await someoneElseRevokes(moved);
    expect((await harness.provider.outbox.list()).map(({ issuer }) => issuer)).not.toContain(
      ISSUER,
    );
  });
});

describe('a clock that is set back', () => {
  it('does not freeze an event that waits', async () => {
    harness.clock.advance(DAY);
    receiver.onEvent = refusedConnection;
    await harness.revoke(await harness.consented());
    harness.clock.advance(-DAY);
    receiver.onEvent = new Receiver().onEvent;
    expect(await harness.provider.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
  });

  it('does not freeze an event whose sender was killed', async () => {
    receiver.onEvent = silence;
    harness.revoke(await harness.consented());
    await until(() => receiver.events.length === 1);
    harness.clock.advance(-HOUR / 2);
    receiver.onEvent = new Receiver().onEvent;
    expect(await harness.provider.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
  });

  it('does not keep one from being sent again by hand', async () => {
    receiver.onEvent = silence;
    harness.revoke(await harness.consented());
    await until(() => receiver.events.length === 1);
    harness.clock.advance(-HOUR);
    receiver.onEvent = new Receiver().onEvent;
    const { outbox } = harness.provider;
    const [entry] = await outbox.list();
    expect(await outbox.sendAgain(entry?.id ?? '')).toMatchObject({ state: 'delivered' });
  });

  it('by no more than two machines differ: what one sends is left to it', async () => {
    receiver.onEvent = silence;
    harness.revoke(await harness.consented());
    await until(() => receiver.events.length === 1);
    harness.clock.advance(-MINUTE / 2);
    expect(await harness.provider.outbox.deliverDue()).toEqual([]);
  });
});

describe('a slow service', () => {
  it('holds up nobody but itself', async () => {
    receiver.onEvent = refusedConnection;
    for (let user = 0; user < 12; user += 1) {
      await harness.revoke(await harness.consented(`user${user}@example.com`));
    }
    const slow: ((answer: Response) => void)[] = [];
    receiver.onEvent = () =>
      slow.length === 0
        ? new Promise((resolve) => slow.push(resolve))
        : new Response(null, { status: 202 });
    harness.clock.advance(MINUTE);
    const round = harness.provider.outbox.deliverDue();
    const delivered = async () => (await states()).filter((state) => state === 'delivered').length;
    await until(async () => (await delivered()) === 11);
    slow[0]?.(new Response(null, { status: 202 }));
    expect(await round).toHaveLength(12);
  });
});

describe('a store that is busy', () => {
  it('keeps nobody waiting to hear how it stands: one try, and the lease sees to the rest', async () => {
    let tries = 0;
    let isBusy = false;
    harness = await Harness.start({
      fetch: receiver.fetch,
      db: {
        read: (work) => db.read(work),
        isShared: false,
        close: () => db.close(),
        transaction: async (work) => {
          if (isBusy) tries += 1;
          if (isBusy) throw new StoreBusyError();
          return db.transaction(work);
        },
      },
    });
    receiver.onEvent = () => {
      isBusy = true;
      return new Response(null, { status: 202 });
    };
    const idToken = await harness.consented();
    expect((await harness.revoke(idToken)).body['event']).toBe('pending');
    expect(tries).toBe(1);
    isBusy = false;
    receiver.onEvent = new Receiver().onEvent;
    harness.clock.advance(MINUTE);
    expect(await harness.provider.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
    const [first, second] = receiver.events.map((event) => open(event).claims.jti);
    expect(second).toBe(first);
  });
});

describe('metadata that is not at the inserted URL', () => {
  const audience = `${SERVICE}/tenant`;
  const inserted = `${SERVICE}/.well-known/oauth-authorization-server/tenant`;
  const plain = `${SERVICE}/.well-known/oauth-authorization-server`;
  const appended = `${audience}/.well-known/oauth-authorization-server`;

  /** Revokes a consent to an audience with a path; resolves to the answer and what was asked. */
  async function told(places: Readonly<Record<string, () => Response>>) {
    const asked: string[] = [];
    harness = await Harness.start({
      fetch: async (url) => {
        asked.push(url);
        if (url === `${SERVICE}/agent/event/notify`) return new Response(null, { status: 202 });
        return places[url]?.() ?? new Response(null, { status: 404 });
      },
    });
    const idToken = await harness.signIn();
    await harness.mintWithConsent(idToken, { audience });
    const { body } = await harness.revoke(idToken, { audience });
    return { asked, body };
  }
  const own = () => json(metadata({ issuer: audience }));
  const others = () => json(metadata({ issuer: SERVICE }));

  it.each([
    ['plain', { [plain]: own }],
    ['appended', { [plain]: others, [appended]: own }],
  ])('is found at the %s one after a 404, as agents find it', async (_place, places) => {
    expect((await told(places)).body).toMatchObject({ event: 'delivered' });
  });

  it('is looked for elsewhere after a 404 alone', async () => {
    const down = () => new Response(null, { status: 503 });
    const { asked, body } = await told({ [inserted]: down, [plain]: own });
    expect([asked, body['event']]).toEqual([[inserted], 'pending']);
    const foreign = await told({ [inserted]: others, [plain]: own });
    expect(foreign.asked).toEqual([inserted]);
    expect(foreign.body).toMatchObject({ event_problem: { code: 'issuer_mismatch' } });
  });

  it('nor anywhere else: parked, and it is said why', async () => {
    const none = await told({});
    expect(none.asked).toEqual([inserted, plain, appended]);
    expect(none.body).toMatchObject({ event_problem: { code: 'metadata_not_found' } });
    expect((await told({ [plain]: others })).body).toMatchObject({
      event: 'parked',
      event_problem: { code: 'issuer_mismatch' },
    });
  });
});

describe('an ID-JAG that is minted while its consent is revoked', () => {
  it('does not outlive it: it is never newer than the revocation (wire contract §7)', async () => {
    let whenDecided: (() => Promise<void>) | undefined;
    harness = await Harness.start({
      fetch: receiver.fetch,
      db: {
        read: (work) => db.read(work),
        isShared: false,
        close: () => db.close(),
        transaction: async (work) => {
          const result = await db.transaction(work);
          const isMint = typeof result === 'object' && result !== null && 'decidedAt' in result;
          const act = isMint ? whenDecided : undefined;
          if (act !== undefined) whenDecided = undefined;
          await act?.();
          return result;
        },
      },
    });
    const idToken = await harness.consented();
    whenDecided = async () => {
      await harness.revoke(idToken);
      harness.clock.advance(2 * SECOND);
    };
    const { body } = await harness.mint(idToken);
    const { claims: idJag } = open(body['access_token']);
    const { claims: event } = open(receiver.events[0]);
    expect(whenDecided).toBeUndefined();
    expect(idJag.iat).toBeLessThanOrEqual(Number(event['toe']));
    expect(Number(idJag.exp) - Number(idJag.iat)).toBe(300);
  });
});

it('a connection that is lost is no reason to look elsewhere', async () => {
  receiver.onMetadata = () => {
    throw new NetworkError('reset', 'Broken off.');
  };
  await harness.revoke(await harness.consented());
  expect(receiver.requests).toHaveLength(1);
});
