export * from './after-claim.ts';
export * from './effects.ts';
export * from './events.ts';
export * from './facts.ts';
export * from './machine.ts';
export * from './matrix.ts';
export * from './pace.ts';
export * from './state.ts';
