import { openAgent } from '../choose/open-agent.ts';
import { storedService } from '../choose/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { presentToken } from './present-token.ts';

export interface TokenOptions {
  readonly renew?: true;
}

/** Prints a valid access token and nothing else. */
export async function token(context: Context, options: TokenOptions): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const inUse = await agent.token({
    service: await storedService(context, store),
    renew: options.renew,
    signal: context.interrupt.signal,
  });
  for (const { message } of inUse.warnings) context.output.warn(message);
  context.output.result(presentToken(context, inUse));
  return 'done';
}
