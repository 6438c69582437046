import { MAX_KEPT_BYTES } from '../../exchanges/exchange.ts';
import type { SeenBody } from '../../exchanges/seen-body.ts';

/** A body as it goes by: its beginning, and how long it is. */
export class PassingBody implements SeenBody {
  readonly isMissing = false;
  bytes = 0;
  kept = 0;
  isWhole = false;
  readonly #chunks: Uint8Array[] = [];

  beginning(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  take(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    const left = MAX_KEPT_BYTES - this.kept;
    if (left <= 0) return;
    // A copy: what is kept of a long body, or lies in a larger buffer, must not hold all of it.
    const kept = Buffer.from(chunk.subarray(0, left));
    this.kept += kept.byteLength;
    this.#chunks.push(kept);
  }
}
