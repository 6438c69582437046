import type { Sleep } from '../../runtime/ports.ts';
import type { Exchange } from '../../traffic/exchange.ts';
import { exchangeJson } from '../../traffic/exchange-json.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import type { Explained } from '../../traffic/explain/explained.ts';
import { Explainer } from '../../traffic/explain/explainer.ts';
import { StoreBusyError, StoreOpenError } from '../store/errors.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveEvents, LiveExchange } from './model.ts';

/** How many exchanges are shown: the last ones. */
const MOST_SHOWN = 1_000;
/** How many of the last ones are explained: what came before those that are shown says what they mean. */
const MOST_EXPLAINED = 10_000;
/** How many exchanges are read at a time, and how many readers told. */
const PAGE = 25;
/** Between two times, in milliseconds: redacting and writing take long, and the mock has to answer who calls it. */
const BETWEEN_PAGES = 3;
/** What comes within this time goes together, in milliseconds: a person sees it at once, and the mock has time to answer. */
const GATHER = 100;
/** How often the source is looked at, at least, in milliseconds: what another process changed tells nobody. */
const BEAT = 500;
/** A line after so many beats: whoever is gone is noticed, and no proxy gives up. */
const STILL_BEATS = 30;
/** How long a reader waits before it comes back, in milliseconds. */
const COME_BACK = 1_000;
/** How many bytes may wait for a reader: one that does not read is not written to without end. */
const MOST_WAITING = 256 * 1024;

/** What is told: an exchange by its `seq`, what there is beside them, or only that it goes on. */
type Subject = number | 'snapshot' | 'still here';

interface Reader {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** What it has not been told yet, or what is otherwise since. */
  readonly untold: Set<Subject>;
}

/** An explanation without its exchange, which the log keeps. */
type Meant = Omit<Explained, 'exchange'>;

const encoder = new TextEncoder();

/**
 * Tells readers what is new and what is otherwise. While there are some it reads on in the log, explains, and writes
 * each event once, however many read it: each reader has a list of what it is still to be told.
 */
export class LiveFeed {
  readonly #log: ExchangeLog;
  readonly #source: LiveSource;
  readonly #sleep: Sleep;
  readonly #readers = new Set<Reader>();
  /** The last event of each subject, as it is sent. */
  readonly #events = new Map<Subject, Uint8Array>();
  /** What the exchanges that are shown were explained as: each once, in their order. */
  readonly #meant = new Map<number, Meant>();
  /** Exchanges that are otherwise than they were told. */
  readonly #changed = new Set<number>();
  /** Ends the rest until the next beat. */
  #rest = new AbortController();
  #isRunning = false;

  constructor(log: ExchangeLog, source: LiveSource, sleep: Sleep) {
    this.#log = log;
    this.#source = source;
    this.#sleep = sleep;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Server-sent events (HTML Standard §9.2): `LiveEvents`, what is kept and then what comes. */
  stream(): ReadableStream<Uint8Array> {
    let reader: Reader;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          controller.enqueue(encoder.encode(`retry: ${COME_BACK}\n\n`));
          reader = { controller, untold: new Set(this.#events.keys()) };
          this.#readers.add(reader);
          if (!this.#isRunning) void this.#run();
        },
        pull: () => send(reader, this.#events),
        cancel: () => this.#leave(reader),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
    );
  }

  /** Ends the streams. */
  close(): void {
    for (const reader of this.#readers) {
      this.#leave(reader);
      reader.controller.close();
    }
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#rest.abort();
  }

  /**
   * Runs as long as somebody reads. Where something fails the streams break off: readers come back, and find it read
   * anew. It ends in one go with the last reader: whoever came in between would be told nothing.
   */
  async #run(): Promise<void> {
    this.#isRunning = true;
    const stir = (seq: number) => {
      if (this.#meant.has(seq)) this.#changed.add(seq);
      this.#rest.abort();
    };
    const unfollow = this.#log.follow(stir);
    const unwatch = this.#source.follow((seq = 0) => stir(seq));
    const explainer = new Explainer();
    const { resets } = this.#log;
    let read = this.#log.latest - MOST_EXPLAINED;
    let state = '';
    try {
      for (let beats = 1; this.#readers.size > 0; ) {
        // What was told is no longer so: readers come back, and are told what there is.
        if (this.#log.resets > resets) return this.close();
        const { exchanges, latest } = this.#log.read({ since: read, limit: PAGE });
        read = exchanges.at(-1)?.seq ?? latest;
        for (const exchange of exchanges) {
          const { exchange: _, ...meant } = explainer.explain(exchange);
          if (exchange.seq > latest - MOST_SHOWN) this.#tellExchange(exchange, meant);
        }
        const isAll = exchanges.length < PAGE;
        if (isAll) {
          this.#tellChanged();
          state = await this.#tellSnapshot(state);
          if (beats % STILL_BEATS === 0) this.#tell('still here', encoder.encode(': still\n\n'));
          beats += 1;
        }
        for (const [at, reader] of [...this.#readers].entries()) {
          send(reader, this.#events);
          if (at % PAGE === PAGE - 1) await this.#sleep(BETWEEN_PAGES);
        }
        await (isAll ? this.#beat() : this.#sleep(BETWEEN_PAGES));
      }
    } catch (error) {
      for (const { controller } of this.#readers) controller.error(error);
    } finally {
      unfollow();
      unwatch();
      this.#isRunning = false;
      for (const kept of [this.#readers, this.#events, this.#meant, this.#changed]) kept.clear();
    }
  }

  /** Waits until something has happened, or for a while. */
  async #beat(): Promise<void> {
    await this.#sleep(BEAT, this.#rest.signal).catch(() => {});
    await this.#sleep(GATHER);
    // From here on what happens is for the beat after this one.
    this.#rest = new AbortController();
  }

  #tellExchange(exchange: Exchange, meant: Meant): void {
    const { seq } = exchange;
    // Not each number comes: one that cannot be redacted is told to nobody.
    for (const old of this.#meant.keys()) {
      if (old > seq - MOST_SHOWN) break;
      this.#events.delete(old);
      this.#meant.delete(old);
      for (const { untold } of this.#readers) untold.delete(old);
    }
    this.#meant.set(seq, meant);
    const { from, meaning, section, state = null, step } = meant;
    const findings: LiveExchange['findings'] = this.#source.findings(seq);
    const told = { ...exchangeJson(exchange), from, step, meaning, section, state, findings };
    this.#tell(seq, event('exchange', told));
  }

  #tellChanged(): void {
    for (const seq of this.#changed) {
      const [exchange] = this.#log.read({ since: seq - 1, limit: 1 }).exchanges;
      const meant = this.#meant.get(seq);
      if (exchange?.seq === seq && meant !== undefined) this.#tellExchange(exchange, meant);
    }
    this.#changed.clear();
  }

  /** Time goes on by itself: the page counts, and is told of nothing else. @returns what it was told, but for the time. */
  async #tellSnapshot(before: string): Promise<string> {
    const snapshot = await this.#source.snapshot().catch(orTrouble);
    const parties = snapshot?.parties.map(({ now: _, ...party }) => party);
    const state = JSON.stringify({ ...snapshot, parties });
    const told = snapshot === null ? event('trouble', null) : event('snapshot', snapshot);
    // Whoever comes next is told the time as it is.
    if (state === before) this.#events.set('snapshot', told);
    else this.#tell('snapshot', told);
    return state;
  }

  #tell(subject: Subject, told: Uint8Array): void {
    this.#events.set(subject, told);
    for (const { untold } of this.#readers) untold.add(subject);
  }
}

/** A store that fails is told: were the streams to break off, all that is kept would be told again and again. */
function orTrouble(error: unknown): null {
  if (error instanceof StoreBusyError || error instanceof StoreOpenError) return null;
  throw error;
}

/** Sends as much as the reader has room for, in one piece: each costs a write. The rest once it has read. */
function send({ controller, untold }: Reader, events: ReadonlyMap<Subject, Uint8Array>): void {
  const told: Uint8Array[] = [];
  let room = controller.desiredSize ?? 0;
  for (const subject of untold) {
    if (room <= 0) break;
    untold.delete(subject);
    const event = events.get(subject) ?? new Uint8Array();
    told.push(event);
    room -= event.byteLength;
  }
  if (told.length > 0) controller.enqueue(Buffer.concat(told));
}

/** HTML Standard §9.2.6. JSON has no line break. */
function event<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
