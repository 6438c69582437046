// What the options take, and what serves the result.

export type { AuditRecord } from '../mock/audit/audit.ts';
export type { DocumentMembers } from '../mock/config/document-members.ts';
export type { ControlAccess } from '../mock/controls/control-routes.ts';
export type { ClockMove, ControlState } from '../mock/controls/controls.ts';
export type { KnownFault } from '../mock/controls/mock-core.ts';
export type { FetchHandler } from '../mock/http/app.ts';
export { ConnectionDropped } from '../mock/http/connection-dropped.ts';
export { ListenError, type ListenErrorCode } from '../mock/http/listen-error.ts';
export { type Served, type ServeOptions, serve, type TlsFiles } from '../mock/http/serve.ts';
export type { SigningAlgorithm } from '../mock/keys/algorithm.ts';
export { type Database, StoreOpenError } from '../mock/store/database.ts';
export { openDatabase } from '../mock/store/open-database.ts';
export { DIALECT_IDS, type DialectId } from '../protocol/constants.ts';
export type { BodyState, Exchange, ExchangeMessage, Receiver } from '../traffic/exchange.ts';
export { ExchangeLog, type ExchangePage, type ExchangeQuery } from '../traffic/exchange-log.ts';
export {
  type TranscribedExchange,
  type TranscribedMessage,
  type Transcript,
  transcript,
} from '../traffic/transcript.ts';
export type { AnswerRule, ChangedAnswer } from './config/answer-rule.ts';
export type { CodeFormat } from './config/code-format.ts';
export type {
  FixedBody,
  ResourceMethod,
  SeedUser,
  ServiceConfig,
  ServiceDocument,
  ServiceResource,
  TrustEntry,
  TrustedIssuer,
} from './config/config.ts';
export type { DirectoryMethod, DirectoryOption, DirectoryService } from './config/directory.ts';
export { DEFAULT_LIFETIMES, type Lifetimes } from './config/lifetimes.ts';
export type { LinkExisting } from './config/link-existing.ts';
export type { ResourceOptions } from './config/resource.ts';
export type { ScopeOptions, ServiceScopes } from './config/scopes.ts';
export type { Decisions } from './context/decisions.ts';
export type { ServiceContext } from './context/service-context.ts';
export type {
  AddedTrust,
  InspectedRegistration,
  ServiceControls,
} from './controls/service-controls.ts';
export { QUIRK_NAMES, type QuirkName } from './dialects/index.ts';
export type { ListedMethod, ListedService } from './directory/catalog.ts';
export type { ServiceKey } from './directory/change-catalog.ts';
export {
  SERVICE_FAULT_NAMES,
  SERVICE_FAULTS,
  type ServiceFault,
  type ServiceFaultName,
} from './faults/index.ts';
export * as rewire from './faults/rewire.ts';
export { createMockService, type MockService } from './mock-service.ts';
export type { MockServiceOptions } from './options.ts';
