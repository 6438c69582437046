import { namedService } from '../choose-service.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { openAgent } from '../open-agent.ts';
import { presentForgotten } from '../presenters/forget.ts';

/** Revokes the token, as far as the server can be reached, and removes the registration here. */
export async function forget(
  context: Context,
  registrationId: string | undefined,
): Promise<Outcome> {
  const { agent } = await openAgent(context);
  const outcome = await agent.forget({
    service: namedService(context, undefined),
    registrationId,
    signal: context.interrupt.signal,
  });
  context.output.result(presentForgotten(context, outcome));
  return 'done';
}
