export type { Front } from './origins.ts';
export {
  createProxy,
  type Listening,
  ProxyLoopError,
  type ProxyOptions,
  type RunningProxy,
} from './proxy.ts';
