/** The families of this protocol that the mock speaks; the first is the wire contract's own. */
export const DIALECT_NAMES = ['flat', 'nested', 'first'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];
