import { AgentError } from '../agent-error.ts';
import { accessOf, connectAgain, renewAccess } from '../cross-app/renew-access.ts';
import type { InUse } from '../records/in-use.ts';
import type { Tools } from '../tools.ts';
import type { Rung } from './rung.ts';

/** The rungs above the stored token: one by a new ID-JAG, and none after it. It ends by throwing. */
export async function* renewedAccess(tools: Tools, inUse: InUse): AsyncGenerator<Rung, never> {
  const granted = await renewAccess(tools, inUse, accessOf(inUse.registration).scopes);
  yield { ...granted, fresh: true };
  throw new AgentError('The service refuses a token that it has just issued.', {
    code: 'token_refused',
    hint: 'This looks like a fault of the service.',
    next: connectAgain(granted.registration),
  });
}
