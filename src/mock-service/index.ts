export { DEFAULT_LIFETIMES, type Lifetimes } from './lifetimes.ts';
export { createMockService, type MockService } from './mock-service.ts';
export type { MockServiceOptions, SeedUser, TrustEntry } from './options.ts';
