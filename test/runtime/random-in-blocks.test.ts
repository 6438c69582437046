import { describe, expect, it } from 'vitest';
import { randomInBlocks } from '../../src/runtime/system.ts';

/** Counts up: no two bytes in a row of 256 are the same. */
function counting() {
  const filled: Uint8Array[] = [];
  let next = 0;
  const random = randomInBlocks((bytes) => {
    filled.push(bytes);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = next++ % 251;
  });
  return { filled, random };
}

describe('random bytes in blocks', () => {
  it('asks its source once for many', () => {
    const { filled, random } = counting();
    for (let at = 0; at < 200; at += 1) random.bytes(20);
    expect(filled).toHaveLength(1);
    for (let at = 0; at < 200; at += 1) random.bytes(20);
    expect(filled).toHaveLength(2);
  });

  it('hands each byte out once, in one order, and never one that nothing filled', () => {
    const { random } = counting();
    const seen: number[] = [];
    const lengths = [1, 20, 0, 32, 7, 4000, 36, 4096, 1, 4095, 5, 9000, 3];
    for (const length of lengths) {
      const bytes = random.bytes(length);
      expect(bytes).toHaveLength(length);
      seen.push(...bytes);
    }
    // What is left of a block is dropped, so a later byte is never an earlier one.
    const steps = seen.slice(1).map((byte, at) => (byte - (seen[at] ?? 0) + 251) % 251);
    expect(steps.filter((step) => step === 0)).toEqual([]);
  });

  it('keeps nothing of what it handed out', () => {
    const { filled, random } = counting();
    const first = random.bytes(20);
    const second = random.bytes(30);
    const [block] = filled;
    expect([...(block ?? []).slice(0, 50)]).toEqual(Array.from({ length: 50 }, () => 0));
    expect([...first, ...second]).toEqual(Array.from({ length: 50 }, (_, at) => at));
  });

  it('shares no memory with what it handed out', () => {
    const { filled, random } = counting();
    const bytes = random.bytes(20);
    expect(bytes.buffer).not.toBe(filled[0]?.buffer);
    expect(bytes.buffer.byteLength).toBe(20);
  });
});
