import { createHash } from 'node:crypto';

/** The proof of work for a challenge of the mock: by trying, with Node's own hash. */
export function solveWork({ algorithm, bits, nonce }: Readonly<Record<string, unknown>>) {
  for (let number = 0; number < 1_000_000; number += 1) {
    const hash = createHash(String(algorithm)).update(`${nonce}:${number}`).digest();
    if (Number.parseInt(hash.toString('hex', 0, 4), 16) >>> (32 - Number(bits)) === 0) {
      return { nonce, solution: String(number) };
    }
  }
  throw new Error('No solution.');
}
