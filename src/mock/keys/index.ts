export type { SigningAlgorithm } from './algorithm.ts';
export { generateKey } from './generate-key.ts';
export { KeyRing } from './key-ring.ts';
