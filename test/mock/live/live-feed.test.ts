import { expect, it } from 'vitest';
import { type Exchange, ExchangeLog, type Recorded } from '../../../src/exchanges/index.ts';
import { LiveFeed } from '../../../src/mock/live/live-feed.ts';

const ORIGIN = 'http://127.0.0.1:4800';
const MESSAGE = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;

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
  const snapshot = {
    version: 1 as const,
    title: 'Example',
    parties: [],
    registrations: [],
    mails: [],
    changes: [],
  };
  const feed = new LiveFeed(log, {
    snapshot: async () => snapshot,
    findings: (seq) => {
      written.set(seq, (written.get(seq) ?? 0) + 1);
      return [];
    },
    follow: (listener) => {
      judge.add(listener);
      return () => judge.delete(listener);
    },
    act: async () => ({ ok: true, message: '' }),
  });
  const told: number[] = [];
  const join = () => feed.join({ changed: (seq) => told.push(seq), stir: () => {} });
  return { feed, join, judge, log, told, written };
}

const numbers = (frame: Uint8Array | undefined) =>
  [...new TextDecoder().decode(frame).matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq));

/** All that comes after a number, page by page. */
function readOn(feed: LiveFeed, since = 0): readonly number[] {
  const seen: number[] = [];
  for (let page = feed.page(since); page !== undefined; page = feed.page(page.latest)) {
    seen.push(...numbers(page.frame));
  }
  return seen;
}

it('writes each exchange once for a hundred readers, wherever they begin', () => {
  const { feed, join, log, written } = setUp();
  join();
  const all = Array.from({ length: 250 }, () => log.add(recorded('/a')));
  for (let reader = 0; reader < 100; reader += 1) expect(readOn(feed)).toEqual(all);
  expect([...new Set(written.values())]).toEqual([1]);
  // One that fell behind has its own page up to the next common number, and the same ones after it.
  expect(readOn(feed, 30)).toEqual(all.slice(30));
  expect([written.get(100), written.get(101)]).toEqual([2, 1]);
  expect(feed.page(30)?.frame).toBe(feed.page(30)?.frame);
});

it('writes a snapshot once', async () => {
  const { feed } = setUp();
  const first = await feed.snapshot();
  expect((await feed.snapshot()).frame).toBe(first.frame);
});

it('shows a change to whoever was told before, and to whoever comes later', () => {
  const { feed, join, judge, log, told, written } = setUp();
  join();
  const [open, other] = [log.add(recorded('/a', 'incomplete')), log.add(recorded('/b'))];
  const before = feed.page(0)?.frame;
  log.complete(open, recorded('/a/whole'));
  for (const listener of judge) listener(other);
  expect(told).toEqual([open, other]);
  const again = feed.again(told, other);
  expect(new TextDecoder().decode(again)).toContain('/a/whole');
  expect(numbers(again)).toEqual([open, other]);
  // The second reader of the same is given the same.
  expect(feed.again(told, other)).toBe(again);
  expect(written.get(other)).toBe(2);
  expect(feed.page(0)?.frame).not.toEqual(before);
});

it('explains alike what a reader that begins later is sent', () => {
  const { feed, join, log } = setUp();
  const leave = join();
  for (let each = 0; each < 350; each += 1) log.add(recorded('/a'));
  let turns = 0;
  while (feed.catchUp(320)) turns += 1;
  expect(turns).toBe(3);
  expect(numbers(feed.page(320)?.frame)).toEqual(Array.from({ length: 30 }, (_, at) => 321 + at));
  leave();
  expect(feed.readers).toBe(0);
  log.add(recorded('/b'));
  expect(numbers(feed.page(350)?.frame)).toEqual([351]);
});

it('says how many are no longer kept', () => {
  const { feed, log } = setUp(10);
  for (let each = 0; each < 25; each += 1) log.add(recorded('/a'));
  const page = new TextDecoder().decode(feed.page(0)?.frame);
  expect(page).toContain('event: dropped\ndata: {"count":15}\n\nid: 25\nevent: exchanges\n');
});
