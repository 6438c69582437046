export * from './key-source.ts';
export * from './verify-jwt.ts';
