import { MAX_KEPT_BYTES, type SeenBody } from '../../exchanges/index.ts';

type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

/** So much of an answer that is there at once is taken before it is handed on. */
const MAX_AT_ONCE = 1024 * 1024;
/** So many turns of the microtask queue a part has that is there at once; a stream of Node's takes longer. */
const TURNS = 64;

/** A body as it flows by: its beginning, and how long it is. It is never asked for more than its reader wants. */
export class TappedBody implements SeenBody {
  /** Resolves when no more will come by. */
  readonly settled: Promise<void>;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;
  #isOver = false;
  #isWhole = false;
  #isRead = false;
  #settle: () => void = () => {};
  /** Whether there is none at all. */
  readonly isMissing: boolean;
  /** Left when it is over: it would keep its connection. */
  #source: ReadableStream<Uint8Array> | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(source: ReadableStream<Uint8Array> | null) {
    this.isMissing = source === null;
    this.#source = source ?? undefined;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    if (source === null) this.#end(true);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** So much of it is kept, in bytes. */
  get kept(): number {
    return this.#kept;
  }

  /** Whether it came to its end. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether somebody has begun to read it. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** At most {@link MAX_KEPT_BYTES}. */
  beginning(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  /** The body, to be read by somebody else. */
  stream(): ReadableStream<Uint8Array> {
    return this.#follow([]);
  }

  /** Reads what nobody else has read, to its end; keeps no more of it than of any other body. */
  async drain(): Promise<void> {
    try {
      while (!(await this.#next()).done) {}
    } catch {
      // It broke off: what came of it is kept.
    }
  }

  /**
   * Takes all that is there without waiting.
   * @returns the body: whole, or a stream that begins with what was taken.
   */
  async takeAtOnce(): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
    const taken: Uint8Array[] = [];
    while (this.#bytes <= MAX_AT_ONCE) {
      const pending = this.#next();
      // Its stream rejects in the same way.
      pending.catch(() => {});
      const read = await Promise.race([pending.catch(() => undefined), turns()]);
      if (read === undefined) return this.#follow(taken, pending);
      if (read.done) return Buffer.concat(taken);
      taken.push(read.value);
    }
    return this.#follow(taken);
  }

  #follow(taken: Uint8Array[], first?: Promise<Read>): ReadableStream<Uint8Array> {
    let pending = first;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const chunk = taken.shift();
          if (chunk !== undefined) {
            controller.enqueue(chunk);
            return;
          }
          const read = await (pending ?? this.#next());
          pending = undefined;
          if (read.done) controller.close();
          else controller.enqueue(read.value);
        },
        cancel: async (reason) => {
          this.#isRead = true;
          const left = this.#reader ?? this.#source;
          this.#end(false);
          await left?.cancel(reason);
        },
      },
      // Nothing is read before somebody wants it.
      { highWaterMark: 0 },
    );
  }

  async #next(): Promise<Read> {
    this.#isRead = true;
    this.#reader ??= this.#source?.getReader();
    try {
      const read = (await this.#reader?.read()) ?? { done: true, value: undefined };
      if (read.done) this.#end(true);
      else this.#take(read.value);
      return read;
    } catch (error) {
      this.#end(false);
      throw error;
    }
  }

  #take(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    const left = MAX_KEPT_BYTES - this.#kept;
    if (left <= 0) return;
    // A copy: what is kept of a long body must not hold all of it.
    const kept = new Uint8Array(chunk.subarray(0, left));
    this.#kept += kept.byteLength;
    this.#chunks.push(kept);
  }

  #end(isWhole: boolean): void {
    // A read that was under way when somebody left ends as if all had come.
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isWhole = isWhole;
    this.#source = undefined;
    this.#reader = undefined;
    this.#settle();
  }
}

/** Resolves once everything has happened that waits for nothing. */
export async function turns(): Promise<undefined> {
  for (let turn = 0; turn < TURNS; turn += 1) await undefined;
}
