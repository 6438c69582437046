import type { Sleep } from '../../runtime/ports.ts';
import type { Exchange } from '../../traffic/exchange.ts';
import { exchangeJson } from '../../traffic/exchange-json.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import type { Explained } from '../../traffic/explain/explained.ts';
import { Explainer } from '../../traffic/explain/explainer.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveEvents, LiveExchange } from './model.ts';

/** So many exchanges go into one event, at the most. */
const PAGE = 25;
/** The page shows the last ones: with these it is told again of one that is otherwise than it was. */
const MOST_SHOWN = 1_000;
/** So many of the last ones are explained: what came before those that are shown says what they mean. */
const MOST_EXPLAINED = 10_000;
/** What readers that are a little behind one another ask for again. */
const MOST_PAGES = 128;
/** Between two pages of a reader that catches up, in milliseconds: time for the mock to answer who calls it. */
const BETWEEN_PAGES = 3;
/** What comes within this time goes together, in milliseconds: a person sees it at once, and the mock has time to answer. */
const GATHER = 100;
/** It is looked at least this often, in milliseconds: what another process changed tells nobody. */
const BEAT = 500;
/** A line after so many beats in which nothing happened: whoever is gone is noticed, and no proxy gives up. */
const STILL_BEATS = 30;
/** How long a reader waits before it comes back, in milliseconds. */
const COME_BACK = 1_000;
/** How many bytes may wait for a reader: one that does not read is not written to without end. */
const MOST_WAITING = 1024 * 1024;

interface Reader {
  /** It has all up to this number. */
  latest: number;
  /** Those among them that are otherwise now. */
  readonly changed: Set<number>;
  /** The state of the snapshot that it was sent. */
  state: string;
  close(): void;
}

/** Some exchanges as they are sent, to each reader alike. */
interface FeedPage {
  readonly latest: number;
  readonly frame: Uint8Array;
}

interface SnapshotFrame {
  /** Time goes on by itself: the page counts, and is told of nothing else. */
  readonly state: string;
  readonly frame: Uint8Array;
}

/** An explanation without its exchange, which the log keeps. */
type Meant = Omit<Explained, 'exchange'>;

const encoder = new TextEncoder();

/** Reads on in the log, explains, and writes each event once, however many read it. */
export class LiveFeed {
  readonly #log: ExchangeLog;
  readonly #source: LiveSource;
  readonly #sleep: Sleep;
  readonly #explainer = new Explainer();
  /** What those that may be told again were explained as. */
  readonly #meant = new Map<number, Meant>();
  /** Pages by what a reader has, and what it is told again. */
  readonly #pages = new Map<string, FeedPage>();
  readonly #readers = new Set<Reader>();
  #explained = 0;
  #snapshot: Promise<SnapshotFrame> | undefined;
  /** Ends the rest until the next beat. */
  #rest = new AbortController();
  #beating: Promise<void> | undefined;
  #unfollow: () => void = () => {};

  constructor(log: ExchangeLog, source: LiveSource, sleep: Sleep) {
    this.#log = log;
    this.#source = source;
    this.#sleep = sleep;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /**
   * Server-sent events (HTML Standard §9.2): `LiveEvents`.
   * @param since the last `seq` that the reader has; 0 for none.
   */
  stream(since: number): ReadableStream<Uint8Array> {
    // After a restart of the mock the numbers begin again.
    const latest = this.#oldest(since > this.#log.latest ? 0 : since);
    const reader: Reader = { latest, changed: new Set(), state: '', close: () => {} };
    this.#join(reader);
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          reader.close = () => {
            this.#leave(reader);
            controller.close();
          };
          controller.enqueue(encoder.encode(`retry: ${COME_BACK}\n\n`));
        },
        pull: async (controller) => {
          try {
            const frame = await this.#next(reader);
            if (this.#readers.has(reader)) controller.enqueue(frame);
          } catch (error) {
            this.#leave(reader);
            throw error;
          }
        },
        cancel: () => this.#leave(reader),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
    );
  }

  /** Ends the streams. */
  close(): void {
    for (const reader of this.#readers) reader.close();
  }

  /** Where to begin for a reader that has all up to `since`: what is older is not shown. */
  #oldest(since: number): number {
    return Math.max(since, this.#log.latest - MOST_SHOWN);
  }

  #join(reader: Reader): void {
    this.#readers.add(reader);
    if (this.#readers.size > 1) return;
    this.#explained = Math.max(this.#explained, this.#log.latest - MOST_EXPLAINED);
    const unfollow = this.#log.follow((seq) => this.#stir(seq));
    const unwatch = this.#source.follow((seq) => this.#stir(seq));
    this.#unfollow = () => {
      unfollow();
      unwatch();
    };
  }

  #leave(reader: Reader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#unfollow();
    // What changes while nobody reads is told to nobody.
    this.#pages.clear();
    this.#snapshot = undefined;
    this.#rest.abort();
  }

  /** There may be something to send. @param seq of an exchange that is new, or otherwise than it was told. */
  #stir(seq = 0): void {
    if (this.#meant.has(seq)) {
      this.#pages.clear();
      for (const { changed } of this.#readers) changed.add(seq);
    }
    this.#rest.abort();
  }

  /** Waits for what a reader is to be sent next. */
  async #next(reader: Reader): Promise<Uint8Array> {
    for (let beats = 0; beats < STILL_BEATS && this.#readers.has(reader); beats += 1) {
      reader.latest = this.#oldest(reader.latest);
      while (this.#explained < reader.latest && this.#readers.has(reader)) {
        const { exchanges } = this.#log.read({ since: this.#explained, limit: PAGE });
        for (const exchange of exchanges) this.#explain(exchange);
        if (exchanges.length === 0) this.#explained = reader.latest;
        // Others have their turn: redacting many takes long.
        await this.#sleep(0);
      }
      const page = this.#page(reader);
      if (page !== undefined) {
        reader.latest = page.latest;
        await this.#sleep(BETWEEN_PAGES);
        return page.frame;
      }
      this.#snapshot ??= this.#takeSnapshot();
      const { frame, state } = await this.#snapshot;
      if (state !== reader.state) {
        reader.state = state;
        return frame;
      }
      await this.#beat();
    }
    return encoder.encode(': still here\n\n');
  }

  /** One beat for all who wait: after something has happened, or after a while. */
  #beat(): Promise<void> {
    this.#beating ??= (async () => {
      await this.#sleep(BEAT, this.#rest.signal).catch(() => {});
      await this.#sleep(GATHER);
      // From here on what happens is for the next one.
      this.#rest = new AbortController();
      this.#snapshot = undefined;
      this.#beating = undefined;
    })();
    return this.#beating;
  }

  /** What a reader has not, or has otherwise. */
  #page({ changed, latest: since }: Reader): FeedPage | undefined {
    // One that was not told yet is told as it is, and one that is no longer shown not at all.
    const again = [...changed].filter((seq) => seq <= since && this.#meant.has(seq));
    changed.clear();
    const key = `${since} ${again}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const { dropped, exchanges } = this.#log.read({ since, limit: PAGE });
    const changedNow = again.flatMap((seq) =>
      this.#log.read({ since: seq - 1, limit: 1 }).exchanges.filter((each) => each.seq === seq),
    );
    const told = [...changedNow, ...exchanges];
    if (told.length === 0) return undefined;
    const last = exchanges.at(-1)?.seq ?? since;
    const missing = dropped > 0 ? event('dropped', JSON.stringify({ count: dropped })) : '';
    const texts = told.map((exchange) => this.#textOf(exchange));
    const frame = encoder.encode(missing + event('exchanges', `[${texts}]`, last));
    return keep(this.#pages, key, { latest: last, frame }, MOST_PAGES);
  }

  /** An exchange as the page is told it. */
  #textOf(exchange: Exchange): string {
    const { from, meaning, section, state = null, step } = this.#explain(exchange);
    const findings: LiveExchange['findings'] = this.#source.findings(exchange.seq);
    const told = { ...exchangeJson(exchange), from, step, meaning, section, state, findings };
    return JSON.stringify(told);
  }

  /** Those that were told before are explained as they were: each once, in their order. */
  #explain(exchange: Exchange): Meant {
    const known = this.#meant.get(exchange.seq);
    if (known !== undefined) return known;
    // Of one that was forgotten nothing is learned again: it would come out of its order.
    const isForgotten = exchange.seq <= this.#explained;
    const explainer = isForgotten ? new Explainer() : this.#explainer;
    const { exchange: _, ...meant } = explainer.explain(exchange);
    if (isForgotten) return meant;
    this.#explained = exchange.seq;
    return keep(this.#meant, exchange.seq, meant, MOST_SHOWN);
  }

  async #takeSnapshot(): Promise<SnapshotFrame> {
    const snapshot = await this.#source.snapshot().catch((error: unknown) => {
      // The next reader has it read anew.
      this.#snapshot = undefined;
      throw error;
    });
    const frame = encoder.encode(event('snapshot', JSON.stringify(snapshot)));
    const parties = snapshot.parties.map(({ now: _, ...party }) => party);
    return { state: JSON.stringify({ ...snapshot, parties }), frame };
  }
}

/** HTML Standard §9.2.6. @param data JSON, on one line */
function event(name: keyof LiveEvents, data: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): Value {
  map.set(key, value);
  const [oldest] = map.size > most ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  return value;
}
