import { replacing } from '../config/replacing.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** Sessions that take a request from any page. */
export function withoutCsrf(sessions: Sessions): Sessions {
  return replacing(sessions, { checkCsrf: () => {} });
}
