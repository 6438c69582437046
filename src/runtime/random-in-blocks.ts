import type { Random } from './ports.ts';

/** In bytes. A call into the system's source takes longer than the bytes of a whole block. */
const BLOCK = 4096;

/**
 * Random bytes that are taken from a source in blocks: each is handed out once, and kept no longer. Every
 * process and every worker thread has blocks of its own, because each loads its own modules.
 * @param fill fills an array with bytes that were never handed out.
 */
export function randomInBlocks(fill: (bytes: Uint8Array<ArrayBuffer>) => unknown): Random {
  const block = new Uint8Array(BLOCK);
  let next = BLOCK;
  return {
    bytes: (length) => {
      if (length > BLOCK) return filled(length, fill);
      if (next + length > BLOCK) {
        fill(block);
        next = 0;
      }
      const bytes = block.slice(next, next + length);
      block.fill(0, next, next + length);
      next += length;
      return bytes;
    },
  };
}

function filled(
  length: number,
  fill: (bytes: Uint8Array<ArrayBuffer>) => unknown,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fill(bytes);
  return bytes;
}
