export * from './fake.ts';
export * from './fetch-unfollowed.ts';
export * from './hash.ts';
export * from './nearest.ts';
export * from './network-error.ts';
export * from './ports.ts';
export * from './proxy.ts';
export * from './random-token.ts';
export * from './read-body.ts';
export * from './secret.ts';
export * from './shell-word.ts';
export * from './system.ts';
export * from './system-deadline.ts';
export * from './system-fingerprint.ts';
export * from './system-limit-fetch.ts';
// `system-fetch` is left out on purpose: it loads undici, and only programs that talk to the network need it.
