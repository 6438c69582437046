import { DIALECT_NAMES } from '../dialect-names.ts';

/** The dialects in which an assertion is exchanged for tokens. */
export const EXCHANGING = DIALECT_NAMES.filter((name) => name !== 'first');
