// What its controls give of the requests that it saw.
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
export type {
  AuditRecord,
  ClockMove,
  ControlAccess,
  ControlState,
  Controls,
  DocumentMembers,
  KnownFault,
  SigningAlgorithm,
} from '../mock/index.ts';
export type { Audience, ProviderConfig, ProviderDocument, ProviderUser } from './config/config.ts';
export { DEFAULT_PROVIDER_LIFETIMES, type ProviderLifetimes } from './config/lifetimes.ts';
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
