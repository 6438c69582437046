export * from './audit/index.ts';
export * from './config/index.ts';
export * from './controls/index.ts';
export * from './exchanges/index.ts';
export * from './faults/index.ts';
export * from './http/index.ts';
export * from './keys/index.ts';
export type {
  LiveDecision,
  LiveMail,
  LivePart,
  LiveRegistration,
  LiveService,
} from './live/index.ts';
export * from './pages/index.ts';
export * from './sessions/index.ts';
export * from './store/index.ts';
