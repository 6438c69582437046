import { MAX_KEPT_BYTES } from './exchange.ts';

/** A body as it goes by: its beginning, and how long it is. */
export class SeenBody {
  /** Whether it came to its end. */
  isWhole: boolean;
  /** How long it is, as far as it was seen. */
  bytes = 0;
  /** A character for each byte: a thousand small buffers cost more than all else that is kept of exchanges. */
  #kept = '';

  constructor(isWhole = false) {
    this.isWhole = isWhole;
  }

  /** How much of it is kept, in bytes. */
  get kept(): number {
    return this.#kept.length;
  }

  /** The beginning of the body, at most {@link MAX_KEPT_BYTES}. */
  beginning(): Uint8Array {
    return Buffer.from(this.#kept, 'latin1');
  }

  take(chunk: string | Uint8Array): void {
    const length = Buffer.byteLength(chunk);
    const left = MAX_KEPT_BYTES - this.kept;
    this.bytes += length;
    if (left <= 0) return;
    // Most have one text, of ASCII, which is kept as it is. What is kept of a long one must not hold all of it.
    const isKept = typeof chunk === 'string' && chunk.length === length && length <= left;
    this.#kept += isKept ? chunk : Buffer.from(chunk).subarray(0, left).toString('latin1');
  }
}

export const NO_BODY = new SeenBody(true);
