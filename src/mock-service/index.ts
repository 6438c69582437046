// What the options take, and what serves the result.
export {
  type BodyState,
  type Exchange,
  ExchangeLog,
  type ExchangeMessage,
  type ExchangePage,
  type ExchangeQuery,
  type Receiver,
  type TranscribedExchange,
  type TranscribedMessage,
  type Transcript,
  transcript,
} from '../exchanges/index.ts';
export {
  type AuditRecord,
  type ClockMove,
  ConnectionDropped,
  type ControlAccess,
  type ControlState,
  type Database,
  type DocumentMembers,
  type FetchHandler,
  type KnownFault,
  ListenError,
  type ListenErrorCode,
  openDatabase,
  type Served,
  type ServeOptions,
  type SigningAlgorithm,
  StoreOpenError,
  serve,
  type TlsFiles,
} from '../mock/index.ts';
export { DIALECT_IDS, type DialectId } from '../protocol/index.ts';
export type { CodeFormat } from './config/code-format.ts';
export type {
  SeedUser,
  ServiceConfig,
  ServiceDocument,
  TrustEntry,
  TrustedIssuer,
} from './config/config.ts';
export type { DirectoryMethod, DirectoryOption, DirectoryService } from './config/directory.ts';
export { DEFAULT_LIFETIMES, type Lifetimes } from './config/lifetimes.ts';
export type { LinkExisting } from './config/link-existing.ts';
export type {
  FixedBody,
  ResourceMethod,
  ResourceOptions,
  ServiceResource,
} from './config/resource.ts';
export type { ScopeOptions, ServiceScopes } from './config/scopes.ts';
export type { Decisions } from './context/decisions.ts';
export type { ServiceContext } from './context/service-context.ts';
export type {
  AddedTrust,
  InspectedRegistration,
  ServiceControls,
} from './controls/service-controls.ts';
export { QUIRK_NAMES, type QuirkName } from './dialects/index.ts';
export type { ListedMethod, ListedService, ServiceKey } from './directory/index.ts';
export {
  SERVICE_FAULT_NAMES,
  SERVICE_FAULTS,
  type ServiceFault,
  type ServiceFaultName,
} from './faults/index.ts';
export * as rewire from './faults/rewire.ts';
export { createMockService, type MockService } from './mock-service.ts';
export type { MockServiceOptions } from './options.ts';
