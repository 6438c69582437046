// What its controls give of the requests that it saw.

export type { AuditRecord } from '../mock/audit/audit.ts';
export type { DocumentMembers } from '../mock/config/document-members.ts';
export type { ControlAccess } from '../mock/controls/control-routes.ts';
export type { ClockMove, ControlState, Controls } from '../mock/controls/controls.ts';
export type { KnownFault } from '../mock/controls/mock-core.ts';
export type { SigningAlgorithm } from '../mock/keys/algorithm.ts';
export type { BodyState, Exchange, ExchangeMessage, Receiver } from '../traffic/exchange.ts';
export { ExchangeLog, type ExchangePage, type ExchangeQuery } from '../traffic/exchange-log.ts';
export {
  type TranscribedExchange,
  type TranscribedMessage,
  type Transcript,
  transcript,
} from '../traffic/transcript.ts';
export type { ClientMapping, ProviderClientOptions } from './clients/provider-client.ts';
export type {
  Audience,
  ProviderConfig,
  ProviderDocument,
  ProviderUser,
  SubjectType,
} from './config/config.ts';
export { DEFAULT_PROVIDER_LIFETIMES, type ProviderLifetimes } from './config/lifetimes.ts';
export type {
  ChangedToken,
  ClaimRule,
  JwtChanges,
  PolicyRule,
  SignInDecision,
} from './config/rules.ts';
export type { Decisions as ProviderDecisions } from './context/decisions.ts';
export type { ProviderContext } from './context/provider-context.ts';
export {
  PROVIDER_FAULT_NAMES,
  PROVIDER_FAULTS,
  type ProviderFault,
  type ProviderFaultName,
} from './faults/index.ts';
export * as rewire from './faults/rewire.ts';
export { createMockProvider, type MockProvider } from './mock-provider.ts';
export type { MockProviderOptions } from './options.ts';
export { Outbox } from './outbox/outbox.ts';
export type { EventProblem, EventState, OutboxEntry } from './outbox/outbox-entry.ts';
export type { MintedIdJag, WantedIdJag } from './tokens/mint-as-asked.ts';
