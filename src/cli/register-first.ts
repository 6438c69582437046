import { AgentError } from '../agent/agent-error.ts';
import { chooseService } from './choose-service.ts';
import type { Context } from './context.ts';
import type { OpenAgent } from './open-agent.ts';

/**
 * Sends; where this agent is not registered yet, registers anonymously from the challenge of that very
 * address and sends again. A new identity is never made silently (wire.md §6): a person agrees to it, or
 * did so with `--yes`.
 * @param target an address, or a path of the service.
 */
export async function registerFirst<T>(
  context: Context,
  { agent, store }: OpenAgent,
  target: string,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'not_registered') throw error;
    const { canAsk, interrupt, options, output, world } = context;
    if (!canAsk && options.yes !== true) throw error;
    const address = URL.canParse(target)
      ? target
      : new URL(target, await chooseService(context, store, undefined)).href;
    const { host } = new URL(address);
    const question = `This agent is not registered at ${host}. Register anonymously?`;
    if (options.yes !== true && !(await world.ask.confirm(question, true))) throw error;
    const { signal } = interrupt;
    const outcome = await agent.register({ service: address, type: 'anonymous', signal });
    if (outcome.status === 'registered') {
      for (const { message } of outcome.warnings) output.warn(message);
      output.say(`Registered at ${host}, anonymously: ${outcome.registration.id}.`);
    }
    return send();
  }
}
