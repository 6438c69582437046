export * from './audit/index.ts';
export * from './controls/index.ts';
export * from './faults/index.ts';
export * from './http/index.ts';
export * from './keys/index.ts';
export * from './pages/index.ts';
export * from './sessions/index.ts';
export * from './store/index.ts';
