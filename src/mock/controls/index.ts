export { controlProblem } from './control-problem.ts';
export {
  type ControlAccess,
  type ControlRoute,
  controlRoutes,
} from './control-routes.ts';
export {
  Controls,
  type ControlsOptions,
} from './controls.ts';
export { MockCore } from './mock-core.ts';
export { readControlBody, readNames, readOptionalText } from './read-control.ts';
