export * from './key-source.ts';
export * from './read-trust.ts';
export * from './trust-list.ts';
export * from './verify-jwt.ts';
