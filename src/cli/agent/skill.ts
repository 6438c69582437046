import { openAgent } from '../choose/open-agent.ts';
import { chooseService } from '../choose/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { describeSource, presentSkill } from './present-skill.ts';

/** Shows the skill file of a service. Nothing in it is acted on. */
export async function skill(context: Context, url: string | undefined): Promise<Outcome> {
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context);
  const address = await chooseService(context, store, url);
  const file = await agent.skill({ address }, { signal: interrupt.signal });
  output.warn(describeSource(file));
  output.result(presentSkill(file));
  return 'done';
}
