import { AgentError } from '../../agent/agent-error.ts';
import { openAgent } from '../choose/open-agent.ts';
import { chooseService } from '../choose/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { describeHops, presentDiscovery } from './present-discover.ts';

/** What a service offers, and what is wrong with it. */
export async function discover(context: Context, url: string | undefined): Promise<Outcome> {
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context);
  const address = await chooseService(context, store, url);
  try {
    const discovery = await agent.discover({ address }, { signal: interrupt.signal });
    output.result(presentDiscovery(context, discovery, address));
    return 'done';
  } catch (error) {
    // How far it came is half of the answer.
    if (error instanceof AgentError && error.hops !== undefined) {
      output.say(describeHops(output.style, error.hops));
      output.say();
    }
    throw error;
  }
}
