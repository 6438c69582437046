import { MAX_KEPT_BYTES } from './exchange.ts';

/** What was seen of a body. */
export interface SeenBody {
  /** Whether there is none at all. */
  readonly isMissing: boolean;
  /** Whether it came to its end. */
  readonly isWhole: boolean;
  /** How long it is, as far as it was seen. */
  readonly bytes: number;
  /** So much of it is kept, in bytes. */
  readonly kept: number;
  /** At most {@link MAX_KEPT_BYTES}. */
  beginning(): Uint8Array;
}

export const NO_BODY: SeenBody = {
  isMissing: true,
  isWhole: true,
  bytes: 0,
  kept: 0,
  beginning: () => new Uint8Array(),
};

/** A body that somebody has already read, or is about to write. A short text is kept as it is. */
export function seenBody(content: string | Uint8Array, isWhole = true): SeenBody {
  const bytes = Buffer.byteLength(content);
  const isShortText = typeof content === 'string' && content.length <= MAX_KEPT_BYTES;
  // A copy: what is kept of a long body, or lies in a larger buffer, must not hold all of it.
  const kept = isShortText ? content : startOf(content);
  return {
    isMissing: false,
    isWhole,
    bytes,
    kept: Math.min(bytes, MAX_KEPT_BYTES),
    beginning: () => (typeof kept === 'string' ? startOf(kept) : kept),
  };
}

function startOf(content: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(
    typeof content === 'string'
      ? content.slice(0, MAX_KEPT_BYTES)
      : content.subarray(0, MAX_KEPT_BYTES),
  );
  return bytes.subarray(0, MAX_KEPT_BYTES);
}
