export { PROVIDER_FAULT_NAMES, PROVIDER_FAULTS, type ProviderFault } from './faults/index.ts';
export { DEFAULT_PROVIDER_LIFETIMES, type ProviderLifetimes } from './lifetimes.ts';
export { createMockProvider, type MockProvider } from './mock-provider.ts';
export type { Audience, MockProviderOptions, ProviderUser } from './options.ts';
export { Outbox, type OutboxOptions } from './outbox/outbox.ts';
export type { EventProblem, EventState, OutboxEntry } from './outbox/outbox-entry.ts';
