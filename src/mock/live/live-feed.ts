import type { Exchange } from '../../exchanges/exchange.ts';
import type { ExchangeLog } from '../../exchanges/exchange-log.ts';
import type { Explained } from '../../exchanges/explain/explained.ts';
import { Explainer } from '../../exchanges/explain/explainer.ts';
import { liveExchange } from './live-exchange.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveEvents, LiveSnapshot } from './model.ts';

/** So many exchanges go into one event, at the most. */
const PAGE = 100;
/** The page shows a window; of more that are kept, it is sent the last ones. */
export const MOST_SENT = 10_000;
/** So many that have not come to their end are told again when they have. */
const MOST_OPEN = 1_000;
/** So many of the last ones are told again when more is found wrong with them. */
const MOST_JUDGED = 1_000;
/** What readers that are a little behind one another ask for again. */
const MOST_PAGES = 32;

/** Some exchanges as they are sent, to each reader alike. */
interface FeedPage {
  readonly latest: number;
  readonly frame: Uint8Array;
}

/** Whoever reads on. */
interface FeedReader {
  /** An exchange that was sent is another one now. */
  changed(seq: number): void;
  /** There may be something to read. */
  stir(): void;
}

/** Reads on in the log, explains, and writes each event once, however many read it. */
export class LiveFeed {
  readonly #log: ExchangeLog;
  readonly #source: LiveSource;
  readonly #encoder = new TextEncoder();
  readonly #explainer = new Explainer();
  /** What the last ones were explained as. */
  readonly #meant = new Map<number, Meant>();
  /** Those that were explained before all of them had come. */
  readonly #open = new Set<number>();
  /** By the number that a page begins after. */
  readonly #pages = new Map<number, FeedPage>();
  readonly #snapshots = new WeakMap<LiveSnapshot, SnapshotFrame>();
  readonly #readers = new Set<FeedReader>();
  #again: { readonly seqs: string; readonly frame: Uint8Array } | undefined;
  #explained = 0;
  #leave: () => void = () => {};

  constructor(log: ExchangeLog, source: LiveSource) {
    this.#log = log;
    this.#source = source;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** @returns ends it. */
  join(reader: FeedReader): () => void {
    if (this.#readers.size === 0) this.#follow();
    this.#readers.add(reader);
    return () => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0) return;
      this.#leave();
      // What changes while nobody reads is told to nobody.
      this.#pages.clear();
      this.#again = undefined;
    };
  }

  /** Where a reader begins that has all up to a number: 0 for nothing. */
  begin(since: number): number {
    const { latest } = this.#log;
    // After a restart of the mock the numbers begin again.
    return Math.max(since > latest ? 0 : since, latest - MOST_SENT);
  }

  /** Explains some of what comes before a reader's first page. @returns whether there is more of it. */
  catchUp(since: number): boolean {
    const from = this.begin(this.#explained);
    if (from >= since) return false;
    const { exchanges } = this.#log.read({ since: from, limit: Math.min(PAGE, since - from) });
    for (const exchange of exchanges) if (exchange.seq <= since) this.#explain(exchange);
    const last = exchanges.at(-1)?.seq ?? since;
    this.#explained = Math.max(this.#explained, Math.min(last, since));
    return this.#explained < since;
  }

  /** What comes after a number; `undefined` where nothing does. */
  page(since: number): FeedPage | undefined {
    const known = this.#pages.get(since);
    if (known !== undefined) return known;
    const read = this.#log.read({ since, limit: PAGE });
    const first = read.exchanges[0]?.seq;
    if (first === undefined) return undefined;
    // Pages end at the same numbers: readers that fell behind, each to another place, have the next one in common.
    const end = first - 1 + (PAGE - ((first - 1) % PAGE));
    const exchanges = read.exchanges.filter(({ seq }) => seq <= end);
    const latest = exchanges.at(-1)?.seq ?? since;
    const told = event('exchanges', this.#texts(exchanges), latest);
    const dropped = { count: read.dropped };
    const text = read.dropped > 0 ? event('dropped', JSON.stringify(dropped)) + told : told;
    const page = { latest, frame: this.#encoder.encode(text) };
    keep(this.#pages, since, page, MOST_PAGES);
    return page;
  }

  /** Exchanges that were told before, as they are now, explained as they were. */
  again(seqs: readonly number[], latest: number): Uint8Array {
    const key = `${latest}: ${seqs.join()}`;
    if (this.#again?.seqs === key) return this.#again.frame;
    const exchanges = seqs.flatMap((seq) => {
      const [exchange] = this.#log.read({ since: seq - 1, limit: 1 }).exchanges;
      if (exchange?.seq !== seq) return [];
      if (!isIncomplete(exchange)) this.#open.delete(seq);
      return [exchange];
    });
    const text = exchanges.length === 0 ? '' : event('exchanges', this.#texts(exchanges), latest);
    const frame = this.#encoder.encode(text);
    this.#again = { seqs: key, frame };
    return frame;
  }

  /** What is beside exchanges, and what of it a reader compares with what it was sent before. */
  async snapshot(): Promise<SnapshotFrame> {
    const snapshot = await this.#source.snapshot();
    const known = this.#snapshots.get(snapshot);
    if (known !== undefined) return known;
    const frame = this.#encoder.encode(event('snapshot', JSON.stringify(snapshot)));
    const made = { state: stateOf(snapshot), frame };
    this.#snapshots.set(snapshot, made);
    return made;
  }

  #follow(): void {
    const unfollow = this.#log.follow((seq) => {
      if (this.#open.has(seq)) this.#changed(seq);
      this.#stir();
    });
    const unwatch = this.#source.follow((seq) => {
      const isTold = seq !== undefined && seq <= this.#explained;
      if (isTold && seq > this.#explained - MOST_JUDGED) this.#changed(seq);
      this.#stir();
    });
    this.#leave = () => {
      unfollow();
      unwatch();
    };
  }

  #stir(): void {
    for (const reader of this.#readers) reader.stir();
  }

  #changed(seq: number): void {
    this.#again = undefined;
    for (const [since, { latest }] of this.#pages) {
      if (since < seq && seq <= latest) this.#pages.delete(since);
    }
    for (const reader of this.#readers) reader.changed(seq);
  }

  #texts(exchanges: readonly Exchange[]): string {
    const texts = exchanges.map((exchange) => {
      const explained = { ...this.#explain(exchange), exchange };
      return JSON.stringify(liveExchange(explained, this.#source.findings(exchange.seq)));
    });
    return `[${texts.join()}]`;
  }

  #explain(exchange: Exchange): Meant {
    const { seq } = exchange;
    const known = this.#meant.get(seq);
    if (known !== undefined) return known;
    // Of one that was forgotten nothing is learned again: it would come out of its order.
    const explainer = seq > this.#explained ? this.#explainer : new Explainer();
    const { exchange: _, ...meant } = explainer.explain(exchange);
    if (seq <= this.#explained) return meant;
    this.#explained = seq;
    keep(this.#meant, seq, meant, MOST_SENT);
    if (isIncomplete(exchange)) {
      this.#open.add(seq);
      const [oldest] = this.#open.size > MOST_OPEN ? this.#open : [];
      if (oldest !== undefined) this.#open.delete(oldest);
    }
    return meant;
  }
}

interface SnapshotFrame {
  /** Time goes on by itself: the page counts, and is told of nothing else. */
  readonly state: string;
  readonly frame: Uint8Array;
}

/** An explanation without its exchange, which the log keeps. */
type Meant = Omit<Explained, 'exchange'>;

/** HTML Standard §9.2.6. @param data JSON, on one line */
function event(name: keyof LiveEvents, data: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}

function isIncomplete({ request, response }: Exchange): boolean {
  return [request, response].some(({ bodyState }) => bodyState === 'incomplete');
}

function stateOf(snapshot: LiveSnapshot): string {
  return JSON.stringify({ ...snapshot, parties: snapshot.parties.map(withoutNow) });
}

function withoutNow({ now: _, ...party }: { readonly now: string }): object {
  return party;
}

function keep<Value>(map: Map<number, Value>, key: number, value: Value, most: number): void {
  map.set(key, value);
  const [oldest] = map.size > most ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}
