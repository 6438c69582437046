export type { LiveSource } from './live-source.ts';
export { type LiveAssets, LiveView } from './live-view.ts';
export * from './model.ts';
export { LIVE_PATHS, LIVE_ROOT } from './paths.ts';
