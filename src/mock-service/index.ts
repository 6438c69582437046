// What the options take, and what serves the result.
export {
  type Database,
  type FetchHandler,
  ListenError,
  openDatabase,
  type Served,
  type ServeOptions,
  StoreOpenError,
  serve,
} from '../mock/index.ts';
export { DEFAULT_LIFETIMES, type Lifetimes } from './lifetimes.ts';
export { createMockService, type MockService } from './mock-service.ts';
export type { MockServiceOptions, SeedUser, TrustEntry } from './options.ts';
