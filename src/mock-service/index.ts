// What the options take, and what serves the result.
export {
  ConnectionDropped,
  type Database,
  type FetchHandler,
  ListenError,
  openDatabase,
  type Served,
  type ServeOptions,
  StoreOpenError,
  serve,
} from '../mock/index.ts';
export { SERVICE_FAULT_NAMES, SERVICE_FAULTS, type ServiceFault } from './faults/index.ts';
export { DEFAULT_LIFETIMES, type Lifetimes } from './lifetimes.ts';
export { createMockService, type MockService } from './mock-service.ts';
export type { MockServiceOptions, SeedUser, TrustEntry, TrustedIssuer } from './options.ts';
export type { AddedTrust, InspectedRegistration, ServiceControls } from './service-controls.ts';
