export type { LiveDecision, LivePart, LiveService } from './live-part.ts';
export type { LiveSource } from './live-source.ts';
export { type LiveAssets, LiveView } from './live-view.ts';
export { MocksSource } from './mocks-source.ts';
export * from './model.ts';
export { passiveSource } from './passive-source.ts';
export { LIVE_CONTROL, LIVE_PATHS, LIVE_ROOT } from './paths.ts';
