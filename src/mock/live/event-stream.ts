import {
  type Exchange,
  type ExchangeLog,
  type Explained,
  Explainer,
} from '../../exchanges/index.ts';
import type { Sleep } from '../../runtime/index.ts';
import { liveExchange } from './live-exchange.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveEvents, LiveSnapshot } from './model.ts';

interface EventStreamOptions {
  readonly log: ExchangeLog;
  readonly source: LiveSource;
  readonly sleep: Sleep;
  /** The last `seq` that the reader has; 0 for none. */
  readonly since: number;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Called once, when it has ended, by either side. */
  readonly ended: () => void;
}

/** Exchanges that come within this time go together, in milliseconds. */
const GATHER = 50;
/** A line this often, in milliseconds: whoever is gone is noticed, and no proxy gives up. */
const BEAT = 15_000;
const PAGE = 100;
/** The page shows a window; of more that are kept, it is sent the last ones. */
export const MOST_SENT = 10_000;
/** So many that have not come to their end are told again when they have. */
const MOST_OPEN = 1_000;
/** So many of the last ones are told again when more is found wrong with them. */
const MOST_JUDGED = 1_000;
/** How long a reader waits before it comes back, in milliseconds. */
const COME_BACK = 1_000;

/** Server-sent events (HTML Standard §9.2): {@link LiveEvents}, from what the reader has on. */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { log, signal, sleep, source } = options;
  const encoder = new TextEncoder();
  const reader = new LiveReader(log, source, options.since);
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        const tell = <Name extends keyof LiveEvents>(
          name: Name,
          data: LiveEvents[Name],
          id?: number,
        ) => {
          const head = id === undefined ? '' : `id: ${id}\n`;
          send(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
        };
        const stir = new Stir();
        const unfollow = log.follow((seq) => {
          reader.changed(seq);
          stir.now();
        });
        const unwatch = source.follow((seq) => {
          if (seq !== undefined) reader.judged(seq);
          stir.now();
        });
        const run = async () => {
          send(`retry: ${COME_BACK}\n\n`);
          let told = '';
          let last: LiveSnapshot | undefined;
          while (!over.aborted) {
            for (let page = reader.next(); page !== undefined; page = reader.next()) {
              if (page.dropped > 0) tell('dropped', { count: page.dropped });
              if (page.exchanges.length > 0) tell('exchanges', page.exchanges, page.latest);
              // Others have their turn: redacting many takes long.
              await sleep(0, over);
              await drained(controller, sleep, over);
            }
            const snapshot = await source.snapshot();
            const state = snapshot === last ? told : stateOf(snapshot);
            if (state !== told) tell('snapshot', snapshot);
            [told, last] = [state, snapshot];
            await drained(controller, sleep, over);
            await stir.come(over);
            await sleep(GATHER, over);
          }
        };
        const end = () => {
          unfollow();
          unwatch();
          ended.abort();
          options.ended();
        };
        const beat = async () => {
          while (!over.aborted) {
            await sleep(BEAT, over);
            if ((controller.desiredSize ?? 0) > 0) send(': still here\n\n');
          }
        };
        beat().catch(() => {});
        run()
          .catch((error: unknown) => {
            if (!over.aborted) throw error;
          })
          .finally(end)
          .then(
            () => controller.close(),
            (error: unknown) => controller.error(error),
          )
          .catch(() => {});
      },
      cancel() {
        ended.abort();
      },
    },
    // By bytes: a reader that does not read is not written to without end.
    new ByteLengthQueuingStrategy({ highWaterMark: 1024 * 1024 }),
  );
}

/** Time goes on by itself: the page counts, and is told of nothing else. */
function stateOf(snapshot: LiveSnapshot): string {
  return JSON.stringify({ ...snapshot, parties: snapshot.parties.map(withoutNow) });
}

function withoutNow({ now: _, ...party }: { readonly now: string }): object {
  return party;
}

/** Waits while the reader has not taken what it was sent. */
async function drained(
  controller: ReadableStreamDefaultController<Uint8Array>,
  sleep: Sleep,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (controller.desiredSize ?? 0) <= 0) await sleep(GATHER, signal);
}

/** Reads on in the log, and explains. */
class LiveReader {
  readonly #log: ExchangeLog;
  readonly #source: LiveSource;
  readonly #explainer = new Explainer();
  /** What was told before all of it had come. */
  readonly #open = new Map<number, Meant>();
  /** What the last ones were explained as, to tell them again. */
  readonly #meant = new Map<number, Meant>();
  readonly #changed = new Set<number>();
  latest: number;

  constructor(log: ExchangeLog, source: LiveSource, since: number) {
    this.#log = log;
    this.#source = source;
    const { latest } = log;
    // After a restart of the mock the numbers begin again.
    this.latest = Math.max(since > latest ? 0 : since, latest - MOST_SENT);
  }

  changed(seq: number): void {
    if (this.#open.has(seq)) this.#changed.add(seq);
  }

  /** Something else was found in an exchange. One that was not told yet is told with it. */
  judged(seq: number): void {
    if (this.#meant.has(seq)) this.#changed.add(seq);
  }

  next() {
    const { dropped, exchanges } = this.#log.read({ since: this.latest, limit: PAGE });
    const again = this.#again();
    if (exchanges.length === 0 && again.length === 0) return undefined;
    this.latest = exchanges.at(-1)?.seq ?? this.latest;
    return {
      dropped,
      latest: this.latest,
      exchanges: [...again, ...exchanges.map((exchange) => this.#explain(exchange))].map(
        (explained) => liveExchange(explained, this.#source.findings(explained.exchange.seq)),
      ),
    };
  }

  #explain(exchange: Exchange): Explained {
    const explained = this.#explainer.explain(exchange);
    const { exchange: _, ...meant } = explained;
    const { request, response, seq } = exchange;
    keep(this.#meant, seq, meant, MOST_JUDGED);
    if ([request, response].some(({ bodyState }) => bodyState === 'incomplete')) {
      keep(this.#open, seq, meant, MOST_OPEN);
    }
    return explained;
  }

  /** Those that are told again: as they are now, explained as they were. */
  #again(): readonly Explained[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed.flatMap((seq) => {
      const meant = this.#open.get(seq) ?? this.#meant.get(seq);
      const [exchange] = this.#log.read({ since: seq - 1, limit: 1 }).exchanges;
      if (meant === undefined || exchange?.seq !== seq) return [];
      const { request, response } = exchange;
      if (![request, response].some(({ bodyState }) => bodyState === 'incomplete')) {
        this.#open.delete(seq);
      }
      return [{ ...meant, exchange }];
    });
  }
}

/** An explanation without its exchange, which the log keeps. */
type Meant = Omit<Explained, 'exchange'>;

function keep<Value>(map: Map<number, Value>, key: number, value: Value, most: number): void {
  map.set(key, value);
  const [oldest] = map.size > most ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}

/** Something to wait for that may come before anybody waits. */
class Stir {
  #came = false;
  #wake: (() => void) | undefined;

  now(): void {
    this.#came = true;
    this.#wake?.();
  }

  /** Waits for it. @throws the reason of the signal when that comes first. */
  async come(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#came) {
      await new Promise<void>((resolve, reject) => {
        const end = () => reject(signal.reason);
        signal.addEventListener('abort', end, { once: true });
        this.#wake = () => {
          signal.removeEventListener('abort', end);
          resolve();
        };
      });
    }
    this.#came = false;
    this.#wake = undefined;
  }
}
