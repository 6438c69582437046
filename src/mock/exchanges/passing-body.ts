import { MAX_KEPT_BYTES, type SeenBody } from '../../exchanges/index.ts';

/** A body as it goes by: its beginning, and how long it is. */
export class PassingBody implements SeenBody {
  readonly isMissing = false;
  /** Calls its listener when no more will come by. */
  readonly over: (listener: () => void) => void;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #kept = 0;
  #isWhole = false;

  constructor(over: PassingBody['over']) {
    this.over = over;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get kept(): number {
    return this.#kept;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  beginning(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  take(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    const left = MAX_KEPT_BYTES - this.#kept;
    if (left <= 0) return;
    // A copy: what is kept of a long body, or lies in a larger buffer, must not hold all of it.
    const kept = new Uint8Array(chunk.subarray(0, left));
    this.#kept += kept.byteLength;
    this.#chunks.push(kept);
  }

  /** It came to its end. */
  end(): void {
    this.#isWhole = true;
  }
}
