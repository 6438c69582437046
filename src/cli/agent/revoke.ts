import { openAgent } from '../choose/open-agent.ts';
import { storedService } from '../choose/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { presentRevocation } from './present-revoke.ts';

/** Revokes the access token in use (RFC 7009). The registration stays. */
export async function revoke(context: Context): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const outcome = await agent.revoke({
    service: await storedService(context, store),
    signal: context.interrupt.signal,
  });
  context.output.result(presentRevocation(context, outcome));
  return 'done';
}
