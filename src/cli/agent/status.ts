import { openAgent } from '../choose/open-agent.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { presentStatus } from './present-status.ts';

/** What is registered on this machine. Exit 4 when nothing is. */
export async function status(context: Context): Promise<Outcome> {
  const { agent } = await openAgent(context);
  const found = await agent.status({ checkClocks: true, signal: context.interrupt.signal });
  context.output.result(presentStatus(context, found));
  const registered = found.services.some(({ registrations }) => registrations.length > 0);
  const kept = found.notUnderstood.some(({ of }) => of === 'registration');
  return registered || kept || found.environmentToken ? 'done' : 'unregistered';
}
