import { DIALECT_IDS } from '../../../protocol/index.ts';

/** The dialects in which an assertion is exchanged for tokens. */
export const EXCHANGING = DIALECT_IDS.filter((name) => name !== 'first');
