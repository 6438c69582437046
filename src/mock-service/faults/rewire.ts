/** What faults are made of: how a part, a decision, an endpoint or an answer of the service is replaced. */

export { replacing } from '../../mock/config/replacing.ts';
export { atEndpoint, atHandler } from '../../mock/faults/endpoint.ts';
export {
  on,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
  withText,
} from '../../mock/http/tamper.ts';
export { movingUp, omitting, replacingCheck, tolerating } from './check-lists.ts';
export {
  answering,
  at,
  both,
  effecting,
  everywhere,
  inState,
  pacing,
  refusing,
  withFacts,
  withInput,
  withLifetimes,
  without,
} from './redeciding.ts';
