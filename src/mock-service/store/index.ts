export * from './enroll.ts';
export * from './event-store.ts';
export * from './id-jag-store.ts';
export * from './rate-limit.ts';
export * from './registration-store.ts';
export type { StoredRegistration } from './rows.ts';
export * from './schema.ts';
export * from './token-store.ts';
export * from './users.ts';
