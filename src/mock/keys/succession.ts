import type { SigningAlgorithm } from './algorithm.ts';

/** What decides about a key: each algorithm has its own succession of keys. */
export interface InLine {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** In milliseconds. Zero and less: from the beginning; of several such keys the first one signs. */
  readonly signsFrom: number;
}

/**
 * The key that signs now: of one algorithm, the latest whose time has come, or the earliest when a clock
 * that was set back has left none. Two that were made for the same instant are ordered by their
 * `kid`, so that all replicas choose the same one.
 */
export function signerOf<K extends InLine>(
  keys: readonly K[],
  algorithm: SigningAlgorithm,
  now: number,
): K | undefined {
  const inOrder = keys
    .filter((key) => key.algorithm === algorithm)
    .sort((a, b) => (isLater(a, b) ? 1 : -1));
  return inOrder.findLast(({ signsFrom }) => signsFrom <= now) ?? inOrder[0];
}

/**
 * The keys that are published: the signer, the one that waits for its time, and those that what they
 * signed may still be verified with.
 * @param keepFor how long the longest-lived signature is good, in milliseconds.
 */
export function publishedOf<K extends InLine>(
  keys: readonly K[],
  keepFor: number,
  now: number,
): readonly K[] {
  return keys.filter((key) => {
    const successors = keys.filter(
      (other) => other.algorithm === key.algorithm && other.signsFrom > 0 && isLater(other, key),
    );
    const replacedAt = Math.min(...successors.map(({ signsFrom }) => signsFrom));
    return now < replacedAt + keepFor;
  });
}

function isLater(a: InLine, b: InLine): boolean {
  return a.signsFrom === b.signsFrom ? a.kid > b.kid : a.signsFrom > b.signsFrom;
}
