export * from './fetch-document.ts';
export * from './issuer-keys.ts';
export * from './jwt-verifier.ts';
export * from './key-source.ts';
export * from './read-trust.ts';
export * from './trust-list.ts';
export * from './verify-jwt.ts';
