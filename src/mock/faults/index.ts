export { type Assembled, assemble } from './assemble.ts';
export {
  atEndpoint,
  atHandler,
  type RightHandler,
  type RouteChoice,
  type Routed,
  withoutService,
} from './endpoint.ts';
export type { BuiltInFault, CaseNeeds, Fault, Wired } from './fault.ts';
export { type FaultRegistry, registerFaults } from './registry.ts';
export { replacing } from './replacing.ts';
export {
  type AnswerChoice,
  on,
  type Tamper,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
  withText,
} from './tamper.ts';
export { Wiring, type WiringOptions } from './wiring.ts';
