import { AgentError } from '../../agent/agent-error.ts';
import { covers } from '../../protocol/urls.ts';
import type { Context } from '../shell/context.ts';
import { knownRegistrations } from './known-registrations.ts';
import type { OpenAgent } from './open-agent.ts';
import { namedService } from './service.ts';

/**
 * The registration on this machine that the user chooses; only of `--service` where that is given.
 * `undefined`: there is no choice, or no user who can be asked.
 * @param begins what its id begins with; '' for any.
 */
export async function chooseRegistration(
  context: Context,
  { agent }: OpenAgent,
  begins: string,
): Promise<string | undefined> {
  if (!context.canAsk) return undefined;
  const service = namedService(context, undefined, { environment: false });
  const isThere = (resource: string) => service === undefined || covers(resource, service);
  const known = knownRegistrations(await agent.status()).filter(
    ({ id, resource }) => id.startsWith(begins) && isThere(resource),
  );
  if (known.length < 2) return undefined;
  const choices = known.map(({ id, line }) => ({ value: id, name: line }));
  return context.world.ask.select('Which registration?', choices);
}

/** Calls `work` with `id`; where that is the beginning of several ids, with the one that the user chooses. */
export async function orChosen<T>(
  context: Context,
  opened: OpenAgent,
  id: string | undefined,
  work: (id: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await work(id);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'registration_ambiguous') throw error;
    const chosen = await chooseRegistration(context, opened, id ?? '');
    if (chosen === undefined) throw error;
    return work(chosen);
  }
}
