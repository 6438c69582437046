import type { Sleep } from '../../runtime/ports.ts';
import type { LiveFeed } from './live-feed.ts';

interface EventStreamOptions {
  readonly feed: LiveFeed;
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
/**
 * All readers together are sent an event this often at the most, in milliseconds, once there are some of them: what
 * each is sent would leave the mock no time to answer. Whoever falls behind so far that exchanges are no longer kept is
 * told how many.
 */
const SHARE = 2.5;
const FEW = 4;
/** A line this often, in milliseconds: whoever is gone is noticed, and no proxy gives up. */
const BEAT = 15_000;
/** How long a reader waits before it comes back, in milliseconds. */
const COME_BACK = 1_000;

/** Server-sent events (HTML Standard §9.2): `LiveEvents`, from what the reader has on. */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { feed, signal, sleep } = options;
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  const share = () => (feed.readers > FEW ? feed.readers * SHARE : 0);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const say = (text: string) => controller.enqueue(encoder.encode(text));
        const stir = new Stir();
        const changed = new Set<number>();
        let latest = feed.begin(options.since);
        const leave = feed.join({
          changed: (seq) => {
            // One that was not told yet is told as it is.
            if (seq <= latest) changed.add(seq);
          },
          stir: () => stir.now(),
        });
        const next = (): Uint8Array | undefined => {
          if (changed.size > 0) {
            const seqs = [...changed];
            changed.clear();
            return feed.again(seqs, latest);
          }
          const page = feed.page(latest);
          latest = page?.latest ?? latest;
          return page?.frame;
        };
        const run = async () => {
          say(`retry: ${COME_BACK}\n\n`);
          while (feed.catchUp(latest)) await sleep(0, over);
          let told = '';
          while (!over.aborted) {
            for (let frame = next(); frame !== undefined; frame = next()) {
              if (frame.length > 0) controller.enqueue(frame);
              // Others have their turn: redacting many takes long.
              await sleep(share(), over);
              await drained(controller, sleep, over);
            }
            const { frame, state } = await feed.snapshot();
            if (state !== told) controller.enqueue(frame);
            told = state;
            await drained(controller, sleep, over);
            await stir.come(over);
            await sleep(Math.max(GATHER, share()), over);
          }
        };
        const end = () => {
          leave();
          ended.abort();
          options.ended();
        };
        const beat = async () => {
          while (!over.aborted) {
            await sleep(BEAT, over);
            if ((controller.desiredSize ?? 0) > 0) say(': still here\n\n');
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

/** Waits while the reader has not taken what it was sent. */
async function drained(
  controller: ReadableStreamDefaultController<Uint8Array>,
  sleep: Sleep,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (controller.desiredSize ?? 0) <= 0) await sleep(GATHER, signal);
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
