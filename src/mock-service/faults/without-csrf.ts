import { replacing, type Sessions } from '../../mock/index.ts';

/** Sessions that take a request from any page. */
export function withoutCsrf(sessions: Sessions): Sessions {
  return replacing(sessions, { checkCsrf: () => {} });
}
