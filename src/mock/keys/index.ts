export type { SigningAlgorithm } from './algorithm.ts';
export { KeyRing, type KeyRingOptions, type NextKey } from './key-ring.ts';
