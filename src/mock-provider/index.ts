export type { Audience, ProviderConfig, ProviderUser } from './config.ts';
export type { Decisions as ProviderDecisions } from './decisions.ts';
export {
  PROVIDER_FAULT_NAMES,
  PROVIDER_FAULTS,
  type ProviderFault,
  type ProviderFaultName,
} from './faults/index.ts';
export * as rewire from './faults/rewire.ts';
export { DEFAULT_PROVIDER_LIFETIMES, type ProviderLifetimes } from './lifetimes.ts';
export { createMockProvider, type MockProvider } from './mock-provider.ts';
export type { MockProviderOptions } from './options.ts';
export { Outbox, type OutboxOptions } from './outbox/outbox.ts';
export type { EventProblem, EventState, OutboxEntry } from './outbox/outbox-entry.ts';
export type { ProviderContext } from './provider-context.ts';
