import { SECOND } from '../../protocol/index.ts';
import type { Warning } from '../model.ts';
import type { InUse } from '../records/in-use.ts';
import { isOver } from '../records/registration-state.ts';
import type { LadderOptions, Rung } from './rung.ts';

/** A token this close to its end is not used: it may expire on the way. */
const MARGIN = 10 * SECOND;

/** The stored token, unless it is over by the time of its server as it was seen last. */
export function storedToken(
  { registration, peer }: InUse,
  { renew }: LadderOptions,
): Rung | undefined {
  const { token } = registration;
  if (token === null || (renew && !token.direct)) return undefined;
  if (isOver(token.expiresAt, peer.now() + MARGIN)) return undefined;
  return { token, registration, fresh: false, warnings: renew ? [notRenewable()] : [] };
}

/** What the registration gave is all that it gives. */
function notRenewable(): Warning {
  return {
    code: 'not_renewable',
    message:
      'The token is the one that the registration gave: there is nothing to exchange for another.',
  };
}
