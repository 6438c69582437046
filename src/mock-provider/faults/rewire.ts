/** What faults are made of: how a part, a decision, an endpoint or an answer of the provider is replaced. */

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
export { omitting, saying, signing } from './rewiring.ts';
