export { controlProblem } from './control-problem.ts';
export {
  type ControlAccess,
  type ControlRoute,
  type ControlRoutesOptions,
  controlRoutes,
} from './control-routes.ts';
export {
  type AuditPage,
  type ClockMove,
  type ControlState,
  Controls,
  type ControlsOptions,
} from './controls.ts';
export { MockCore } from './mock-core.ts';
export { readControlBody, readNames, readOptionalText } from './read-control.ts';
