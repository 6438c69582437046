export { CONTROL_ROOT, isControlPath } from './control-paths.ts';
export { controlProblem } from './control-problem.ts';
export {
  type ControlAccess,
  type ControlRoute,
  controlRoutes,
} from './control-routes.ts';
export {
  type ClockMove,
  type ControlState,
  Controls,
  type ControlsOptions,
} from './controls.ts';
export type { KnownFault } from './known-fault.ts';
export { MockCore } from './mock-core.ts';
export { readControlBody, readNames, readOptionalText, readPathText } from './read-control.ts';
