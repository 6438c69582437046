export type { SigningAlgorithm } from './algorithm.ts';
export { KeyRing, type KeyRingOptions } from './key-ring.ts';
