export { assemble } from './assemble.ts';
export { Current } from './current.ts';
export {
  atEndpoint,
  atHandler,
  type RightHandler,
  withoutService,
} from './endpoint.ts';
export type { Fault, Wired } from './fault.ts';
export { keptSessionId } from './kept-session-id.ts';
export { type FaultRegistry, registerFaults } from './registry.ts';
export { replacing } from './replacing.ts';
export {
  on,
  type Tamper,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
  withText,
} from './tamper.ts';
export { Wiring } from './wiring.ts';
export { withoutCsrf } from './without-csrf.ts';
