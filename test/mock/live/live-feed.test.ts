import { expect, it } from 'vitest';
import { LiveFeed } from '../../../src/mock/live/live-feed.ts';
import { StoreBusyError } from '../../../src/mock/store/errors.ts';
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
  let failure: Error | undefined;
  const nothing = {
    version: 1,
    title: 'Example',
    has_controls: true,
    parties: [],
    registrations: [],
  } as const;
  const feed = new LiveFeed(
    log,
    {
      snapshot: async () => {
        snapshots += 1;
        const error = failure;
        failure = undefined;
        if (error !== undefined) throw error;
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
  const failOnce = (error: Error) => {
    failure = error;
  };
  return { failOnce, feed, judge, log, written, snapshots: () => snapshots };
}

/** The numbers of the exchanges that were told. */
function numbers(told: readonly string[]): readonly number[] {
  return told.map((frame) => Number(/"seq":(\d+)/.exec(frame)?.[1]));
}

/** Reads events, a frame at a time. */
function follow(feed: LiveFeed) {
  const reader = feed.stream().getReader();
  let frames: string[] = [];
  const next = async () => {
    while (frames.length === 0) {
      const { done, value } = await reader.read();
      if (done) throw new Error('The stream has ended.');
      frames = new TextDecoder().decode(value).split(/(?<=\n\n)/);
    }
    return frames.shift() ?? '';
  };
  return {
    next,
    /** What is told of exchanges, until what there is beside them is told, or the exchange with a number. */
    exchanges: async (last = 'event: snapshot') => {
      const seen: string[] = [];
      for (;;) {
        const frame = await next();
        if (frame.startsWith('event: exchange')) seen.push(frame);
        if (frame.includes(last)) return seen;
      }
    },
    /** Whether nothing was told before the end. */
    end: async () => (await reader.read()).done,
    leave: () => reader.cancel(),
  };
}

it('writes each exchange, and what there is beside them, once for a hundred readers', async () => {
  const { feed, log, snapshots, written } = setUp();
  const all = Array.from({ length: 250 }, () => log.add(recorded('/a')));
  const readers = Array.from({ length: 100 }, () => follow(feed));
  for (const told of await Promise.all(readers.map(({ exchanges }) => exchanges()))) {
    expect(numbers(told)).toEqual(all);
  }
  expect([...new Set(written.values())]).toEqual([1]);
  expect(snapshots()).toBe(1);
  await Promise.all(readers.map(({ leave }) => leave()));
  expect(feed.readers).toBe(0);
});

it('lets others have their turn while what is kept is read for the first reader', async () => {
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
  for (let count = 0; count < 950; count += 1) {
    expect(await next()).toContain('event: exchange\n');
    before.push(turns);
  }
  isOver = true;
  expect(new Set(before).size).toBeGreaterThan(30);
  await leave();
});

it('breaks off where something fails, and reads it anew for whoever comes back', async () => {
  const { failOnce, feed, log } = setUp();
  log.add(recorded('/a'));
  failOnce(new Error('a bug'));
  const readers = [follow(feed), follow(feed)];
  for (const { exchanges } of readers) await expect(exchanges()).rejects.toThrow('a bug');
  expect(feed.readers).toBe(0);
  expect(numbers(await follow(feed).exchanges())).toEqual([1]);
  feed.close();
});

it('says that the store fails, and goes on in the same stream (it broke off, and told all anew)', async () => {
  const { failOnce, feed, judge, log, written } = setUp();
  const kept = log.add(recorded('/a'));
  failOnce(new StoreBusyError());
  const reader = follow(feed);
  expect(numbers(await reader.exchanges('event: trouble'))).toEqual([kept]);
  // The store answers again: the same is there as before, and is told all the same.
  for (const stir of judge) stir();
  expect(await reader.exchanges()).toEqual([]);
  failOnce(new StoreBusyError());
  const next = log.add(recorded('/b'));
  expect(numbers(await reader.exchanges('event: trouble'))).toEqual([next]);
  expect([...written.values()]).toEqual([1, 1]);
  feed.close();
});

it('tells a reader that does not read no more than may wait, and holds up nobody for it', async () => {
  const { feed, log } = setUp();
  const all = Array.from({ length: 400 }, () => log.add(recorded(`/${'a'.repeat(10_000)}`)));
  const slow = follow(feed);
  const quick = follow(feed);
  expect(numbers(await quick.exchanges())).toEqual(all);
  log.complete(400, recorded('/whole'));
  expect(await quick.exchanges('/whole')).toHaveLength(1);
  // Once it reads it is told of each as it is by then.
  const told = await slow.exchanges();
  expect(numbers(told)).toEqual(all);
  expect(told.at(-1)).toContain('/whole');
  feed.close();
});

it('tells again of what is otherwise, to whoever was told before, once', async () => {
  const { feed, judge, log, written } = setUp();
  const [open, other] = [log.add(recorded('/a', 'incomplete')), log.add(recorded('/b'))];
  const readers = [follow(feed), follow(feed)];
  for (const { exchanges } of readers) expect(numbers(await exchanges())).toEqual([open, other]);
  log.complete(open, recorded('/a/whole'));
  for (const listener of judge) listener(other);
  for (const { next } of readers) {
    expect(await next()).toContain('/a/whole');
    expect(await next()).toContain('/b');
  }
  expect(written.get(other)).toBe(2);
  const late = follow(feed);
  expect(await late.next()).toContain('retry:');
  expect(await late.next()).toContain('/a/whole');
  feed.close();
});

it('tells a reader that begins later the same: the last thousand, and what they mean', async () => {
  const { feed, log } = setUp(2_000);
  for (let each = 0; each < 1_350; each += 1) log.add(recorded('/a'));
  const first = follow(feed);
  const told = await first.exchanges();
  expect(numbers(told)).toEqual(Array.from({ length: 1_000 }, (_, at) => 351 + at));
  const second = follow(feed);
  expect(await second.exchanges()).toEqual(told);
  await Promise.all([first.leave(), second.leave()]);
  log.add(recorded('/b'));
  const again = await follow(feed).exchanges('"seq":1351');
  expect(again.slice(-1_000, -1)).toEqual(told.slice(1));
  feed.close();
});

it('ends the streams after a reset: whoever comes back is told what there is', async () => {
  const { feed, judge, log } = setUp();
  log.add(recorded('/a'));
  const [first, second] = [follow(feed), follow(feed)];
  expect(await first.exchanges()).toHaveLength(1);
  expect(await second.exchanges()).toHaveLength(1);
  log.empty('service');
  for (const stir of judge) stir();
  expect(await Promise.all([first.end(), second.end()])).toEqual([true, true]);
  expect(await follow(feed).exchanges()).toEqual([]);
  feed.close();
});

it('tells whoever comes in the very turn in which the last stream ends', async () => {
  const { feed, judge, log } = setUp();
  const first = feed.stream().getReader();
  while (!new TextDecoder().decode((await first.read()).value).includes('event: snapshot'));
  const next = first.closed.then(() => follow(feed));
  log.empty('service');
  for (const stir of judge) stir();
  expect(await (await next).exchanges()).toEqual([]);
  feed.close();
});

it('keeps no more than a thousand where some cannot be redacted', async () => {
  const { feed, log } = setUp(2_000);
  for (let each = 0; each < 1_000; each += 1) log.add(recorded('/a'));
  const first = follow(feed);
  expect(await first.exchanges()).toHaveLength(1_000);
  log.add({ ...recorded('/b'), redact: () => undefined });
  const last = log.add(recorded('/c'));
  await first.exchanges('/c');
  const told = numbers(await follow(feed).exchanges('/c'));
  expect([told[0], told.at(-1), told.length]).toEqual([3, last, 999]);
  feed.close();
});
