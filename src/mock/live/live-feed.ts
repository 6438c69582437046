import type { Sleep } from '../../runtime/ports.ts';
import type { Exchange } from '../../traffic/exchange.ts';
import { exchangeJson } from '../../traffic/exchange-json.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import type { Explained } from '../../traffic/explain/explained.ts';
import { Explainer } from '../../traffic/explain/explainer.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveEvents, LiveExchange, LiveSnapshot } from './model.ts';

/** So many exchanges go into one event, at the most. */
const PAGE = 100;
/** The page shows the last ones; with these it is told again of one that is otherwise than it was. */
const MOST_SHOWN = 1_000;
/** So many of the last ones are explained: what came before those that are shown says what they mean. */
const MOST_EXPLAINED = 10_000;
/** What readers that are a little behind one another ask for again. */
const MOST_PAGES = 32;
/** What comes within this time goes together, in milliseconds. */
const GATHER = 50;
/** All readers together are sent an event this often at the most, in milliseconds, so that the mock has time to answer. */
const SHARE = 3;
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
  /** What the last ones were explained as. */
  readonly #meant = new Map<number, Meant>();
  /** By what a reader has, and what it is told again. */
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
    const end = new AbortController();
    const { latest } = this.#log;
    // After a restart of the mock the numbers begin again.
    const begin = Math.max(since > latest ? 0 : since, latest - MOST_SHOWN);
    const reader: Reader = { latest: begin, changed: new Set(), state: '', close: () => {} };
    this.#join(reader);
    end.signal.addEventListener('abort', () => this.#leave(reader));
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          reader.close = () => {
            end.abort();
            controller.close();
          };
          controller.enqueue(encoder.encode(`retry: ${COME_BACK}\n\n`));
        },
        pull: async (controller) => {
          try {
            controller.enqueue(await this.#next(reader, end.signal));
          } catch (error) {
            const isOver = end.signal.aborted;
            end.abort();
            if (!isOver) throw error;
          }
        },
        cancel: () => end.abort(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
    );
  }

  /** Ends the streams. */
  close(): void {
    for (const reader of this.#readers) reader.close();
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
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#unfollow();
    // What changes while nobody reads is told to nobody.
    this.#pages.clear();
    this.#snapshot = undefined;
    this.#rest.abort();
  }

  /** There may be something to send. @param seq of an exchange that is new, or otherwise than it was told. */
  #stir(seq = 0): void {
    if (seq <= this.#explained && seq > Math.max(0, this.#explained - MOST_SHOWN)) {
      this.#pages.clear();
      for (const { changed } of this.#readers) changed.add(seq);
    }
    this.#rest.abort();
  }

  /** Waits for what a reader is to be sent next. */
  async #next(reader: Reader, signal: AbortSignal): Promise<Uint8Array> {
    for (let beats = 0; beats < STILL_BEATS; beats += 1) {
      while (this.#explained < reader.latest) {
        this.#readOn(reader.latest);
        // Others have their turn: redacting many takes long.
        await this.#sleep(0, signal);
      }
      const page = this.#page(reader);
      if (page !== undefined) {
        reader.latest = page.latest;
        await this.#sleep(this.#readers.size * SHARE, signal);
        return page.frame;
      }
      this.#snapshot ??= this.#takeSnapshot();
      const { frame, state } = await this.#snapshot;
      signal.throwIfAborted();
      if (state !== reader.state) {
        reader.state = state;
        return frame;
      }
      await this.#beat();
      signal.throwIfAborted();
    }
    return encoder.encode(': still here\n\n');
  }

  /** One beat for all who wait: after something has happened, or after a while. */
  #beat(): Promise<void> {
    this.#beating ??= (async () => {
      await this.#sleep(BEAT, this.#rest.signal).catch(() => {});
      await this.#sleep(Math.max(GATHER, this.#readers.size * SHARE));
      // From here on what happens is for the next one.
      this.#rest = new AbortController();
      this.#snapshot = undefined;
      this.#beating = undefined;
    })();
    return this.#beating;
  }

  /** Explains some of what comes before a reader's first page. */
  #readOn(until: number): void {
    const { exchanges } = this.#log.read({ since: this.#explained, limit: PAGE });
    for (const exchange of exchanges) this.#explain(exchange);
    if (exchanges.length === 0) this.#explained = until;
  }

  /** What a reader has not, or has otherwise. Exchanges that were told before are explained as they were. */
  #page({ changed, latest }: Reader): FeedPage | undefined {
    // One that was not told yet is told as it is.
    const again = [...changed].filter((seq) => seq <= latest);
    changed.clear();
    const key = `${latest} ${again}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const page = again.length > 0 ? this.#pageOf(again, latest) : this.#pageAfter(latest);
    if (page !== undefined) keep(this.#pages, key, page, MOST_PAGES);
    return page;
  }

  #pageOf(seqs: readonly number[], latest: number): FeedPage {
    const exchanges = seqs.flatMap((seq) =>
      this.#log.read({ since: seq - 1, limit: 1 }).exchanges.filter((each) => each.seq === seq),
    );
    return { latest, frame: encoder.encode(event('exchanges', this.#texts(exchanges), latest)) };
  }

  #pageAfter(since: number): FeedPage | undefined {
    const { dropped, exchanges } = this.#log.read({ since, limit: PAGE });
    const latest = exchanges.at(-1)?.seq;
    if (latest === undefined) return undefined;
    const told = event('exchanges', this.#texts(exchanges), latest);
    const missing = dropped > 0 ? event('dropped', JSON.stringify({ count: dropped })) : '';
    return { latest, frame: encoder.encode(missing + told) };
  }

  #texts(exchanges: readonly Exchange[]): string {
    const texts = exchanges.map((exchange) =>
      JSON.stringify(
        liveExchange(exchange, this.#explain(exchange), this.#source.findings(exchange.seq)),
      ),
    );
    return `[${texts}]`;
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
    keep(this.#meant, seq, meant, MOST_EXPLAINED);
    return meant;
  }

  async #takeSnapshot(): Promise<SnapshotFrame> {
    const snapshot = await this.#source.snapshot();
    const frame = encoder.encode(event('snapshot', JSON.stringify(snapshot)));
    return { state: stateOf(snapshot), frame };
  }
}

/** An exchange as the page is told it. */
function liveExchange(
  exchange: Exchange,
  { from, meaning, section, state, step }: Meant,
  findings: LiveExchange['findings'],
): LiveExchange {
  const told = exchangeJson(exchange) as unknown as LiveExchange;
  return { ...told, from, step, meaning, section, state: state ?? null, findings };
}

/** HTML Standard §9.2.6. @param data JSON, on one line */
function event(name: keyof LiveEvents, data: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}

function stateOf(snapshot: LiveSnapshot): string {
  const parties = snapshot.parties.map(({ now: _, ...party }) => party);
  return JSON.stringify({ ...snapshot, parties });
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.set(key, value);
  const [oldest] = map.size > most ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}
