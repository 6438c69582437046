import { Agent } from '../../agent/agent.ts';
import { environmentToken } from '../../agent/credentials/environment-token.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { DialectId } from '../../agent/model.ts';
import { silentLog } from '../../runtime/system.ts';
import type { Context } from '../shell/context.ts';

export interface OpenAgent {
  readonly agent: Agent;
  readonly store: CredentialStore;
}

/** What only a new registration is made with. */
export interface RegistrationSettings {
  /** What the agent calls itself. */
  readonly agentName?: string;
  /** Of a service whose documents leave two open. */
  readonly dialect?: DialectId;
  /** What the service demands of every request. */
  readonly member?: Readonly<Record<string, string>>;
}

/** The agent of the library with this machine's credential file, network and clock. */
export async function openAgent(
  { world, options, fetch, clocks }: Context,
  { agentName, dialect, member }: RegistrationSettings = {},
): Promise<OpenAgent> {
  const store = await world.openStore();
  const agent = new Agent({
    fetch: await fetch(),
    clock: world.clock,
    sleep: world.sleep,
    random: world.random,
    log: silentLog,
    store,
    strict: options.strict === true,
    allowOrigins: options.allowOrigin,
    name: agentName,
    dialect,
    members: member,
    environmentToken: environmentToken(world.environment.source),
  });
  clocks.follow(agent);
  return { agent, store };
}
