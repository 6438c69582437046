/** What faults are made of: how a part, a decision, an endpoint or an answer of the provider is replaced. */
export {
  atEndpoint,
  atHandler,
  on,
  replacing,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
  withText,
} from '../../mock/index.ts';
export { omitting, saying, signing } from './redeciding.ts';
