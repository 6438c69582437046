import { expect, it } from 'vitest';
import { LiveFeed } from '../../../src/mock/live/live-feed.ts';
import type { Sleep } from '../../../src/runtime/index.ts';
import { type Exchange, ExchangeLog, type Recorded } from '../../../src/traffic/index.ts';

const ORIGIN = 'http://127.0.0.1:4800';
const MESSAGE = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;

/** Gives others their turn. What is rested for never comes by itself. */
const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    if (ms < 500) setImmediate(resolve);
    else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function recorded(path: string, bodyState: Exchange['response']['bodyState'] = 'none'): Recorded {
  const exchange = {
    to: 'service' as const,
    at: 0,
    duration: 1,
    method: 'GET',
    url: ORIGIN + path,
    path,
    request: MESSAGE,
    status: 200,
    response: { ...MESSAGE, bodyState },
  };
  return { to: 'service', length: 500, redact: () => exchange };
}

function setUp(kept = 1_000) {
  const log = new ExchangeLog(kept);
  /** How often each exchange was made into text. */
  const written = new Map<number, number>();
  const judge = new Set<(seq?: number) => void>();
  let snapshots = 0;
  let isBusy = false;
  const nothing = { version: 1, title: 'Example', parties: [], registrations: [] } as const;
  const feed = new LiveFeed(
    log,
    {
      snapshot: async () => {
        snapshots += 1;
        if (isBusy) {
          isBusy = false;
          throw new Error('busy');
        }
        return { ...nothing, mails: [], changes: [] };
      },
      findings: (seq) => {
        written.set(seq, (written.get(seq) ?? 0) + 1);
        return [];
      },
      follow: (listener) => {
        judge.add(listener);
        return () => judge.delete(listener);
      },
      act: async () => ({ ok: true, message: '' }),
    },
    sleep,
  );
  const failOnce = () => {
    isBusy = true;
  };
  return { failOnce, feed, judge, log, written, snapshots: () => snapshots };
}

/** Reads events, a frame at a time. */
function follow(feed: LiveFeed, since = 0) {
  const reader = feed.stream(since).getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  return {
    next,
    /** The numbers of exchanges, until what there is beside them is told. */
    numbers: async () => {
      const seen: number[] = [];
      for (let frame = await next(); !frame.includes('event: snapshot'); frame = await next()) {
        seen.push(...[...frame.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq)));
      }
      return seen;
    },
    leave: () => reader.cancel(),
  };
}

it('writes each exchange, and what there is beside them, once for a hundred readers', async () => {
  const { feed, log, snapshots, written } = setUp();
  const all = Array.from({ length: 250 }, () => log.add(recorded('/a')));
  const readers = Array.from({ length: 100 }, () => follow(feed));
  for (const seen of await Promise.all(readers.map(({ numbers }) => numbers()))) {
    expect(seen).toEqual(all);
  }
  expect([...new Set(written.values())]).toEqual([1]);
  expect(snapshots()).toBe(1);
  await Promise.all(readers.map(({ leave }) => leave()));
  expect(feed.readers).toBe(0);
});

it('lets others have their turn between two pages of a reader that catches up', async () => {
  const { feed, log } = setUp();
  for (let each = 0; each < 950; each += 1) log.add(recorded('/a'));
  let turns = 0;
  let isOver = false;
  const takeTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(takeTurns);
  };
  setImmediate(takeTurns);
  const { leave, next } = follow(feed);
  await next();
  const before: number[] = [];
  for (let page = 0; page < 10; page += 1) {
    before.push(turns);
    expect(await next()).toContain('event: exchanges');
  }
  isOver = true;
  expect(new Set(before).size).toBe(10);
  await leave();
});

it('reads what there is beside them anew where that failed, while another reader is slow', async () => {
  const { failOnce, feed, log, snapshots } = setUp();
  // More than may wait for a reader that does not read: it is never told of a snapshot.
  for (let each = 0; each < 200; each += 1) log.add(recorded(`/${'a'.repeat(10_000)}`));
  const slow = follow(feed);
  failOnce();
  await expect(follow(feed, 200).numbers()).rejects.toThrow('busy');
  expect(await follow(feed, 200).numbers()).toEqual([]);
  expect(snapshots()).toBe(2);
  await slow.leave();
  feed.close();
});

it('tells again of what is otherwise, to whoever was told before, once', async () => {
  const { feed, judge, log, written } = setUp();
  const [open, other] = [log.add(recorded('/a', 'incomplete')), log.add(recorded('/b'))];
  const readers = [follow(feed), follow(feed)];
  for (const { numbers } of readers) expect(await numbers()).toEqual([open, other]);
  log.complete(open, recorded('/a/whole'));
  for (const listener of judge) listener(other);
  for (const { next } of readers) {
    const frame = await next();
    expect(frame).toContain('/a/whole');
    expect(frame).toMatch(/^id: 2\nevent: exchanges\n/);
  }
  expect(written.get(other)).toBe(2);
  const late = follow(feed);
  expect(await late.next()).toContain('retry:');
  expect(await late.next()).toContain('/a/whole');
  feed.close();
});

it('explains alike what a reader that begins later is sent', async () => {
  const { feed, log } = setUp(2_000);
  for (let each = 0; each < 1_350; each += 1) log.add(recorded('/a'));
  const first = follow(feed);
  expect((await first.numbers())[0]).toBe(351);
  const second = follow(feed, 1_340);
  expect(await second.numbers()).toEqual(Array.from({ length: 10 }, (_, at) => 1_341 + at));
  await Promise.all([first.leave(), second.leave()]);
  log.add(recorded('/b'));
  expect(await follow(feed, 1_350).numbers()).toEqual([1_351]);
  feed.close();
});

it('says how many are no longer kept', async () => {
  const { feed, log } = setUp(10);
  for (let each = 0; each < 25; each += 1) log.add(recorded('/a'));
  const reader = follow(feed);
  await reader.next();
  expect(await reader.next()).toContain(
    'event: dropped\ndata: {"count":15}\n\nid: 25\nevent: exchanges\n',
  );
  feed.close();
});
