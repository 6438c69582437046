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
export type { SeedUser, ServiceConfig, TrustEntry, TrustedIssuer } from './config/config.ts';
export { DEFAULT_LIFETIMES, type Lifetimes } from './config/lifetimes.ts';
export type { Decisions } from './context/decisions.ts';
export type { ServiceContext } from './context/service-context.ts';
export type {
  AddedTrust,
  InspectedRegistration,
  ServiceControls,
} from './controls/service-controls.ts';
export {
  SERVICE_FAULT_NAMES,
  SERVICE_FAULTS,
  type ServiceFault,
  type ServiceFaultName,
} from './faults/index.ts';
export * as rewire from './faults/rewire.ts';
export { createMockService, type MockService } from './mock-service.ts';
export type { MockServiceOptions } from './options.ts';
