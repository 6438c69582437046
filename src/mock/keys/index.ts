export type { SigningAlgorithm } from './algorithm.ts';
export { KeyRing } from './key-ring.ts';
