export { DEFAULT_PROVIDER_LIFETIMES, type ProviderLifetimes } from './lifetimes.ts';
export { createMockProvider, type MockProvider } from './mock-provider.ts';
export type { Audience, MockProviderOptions, ProviderUser } from './options.ts';
