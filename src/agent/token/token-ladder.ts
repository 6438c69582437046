import { SECOND } from '../../protocol/index.ts';
import type { Warning } from '../model.ts';
import type { InUse } from '../records/in-use.ts';
import { isOver } from '../records/registration-state.ts';
import type { Tools } from '../tools.ts';
import type { LadderOptions, Rung } from './rung.ts';

/**
 * Every token that a registration can come to, lightest first, each once (wire contract §6): the stored one,
 * one exchange, one use of a refresh token, one poll of an open claim, one fresh ID-JAG of a provider where the user
 * is signed in. Taking the next one means that the last was refused. It ends by throwing why none is left, so it never
 * loops, and never makes a new identity silently.
 */
export async function* tokenLadder(
  tools: Tools,
  inUse: InUse,
  options: LadderOptions,
): AsyncGenerator<Rung, never> {
  const stored = storedToken(inUse, options);
  if (stored !== undefined) yield stored;
  // Loaded when first needed: the stored token is what most calls take.
  const { furtherTokens } = await import('./further-tokens.ts');
  return yield* furtherTokens(tools, inUse, options);
}

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
