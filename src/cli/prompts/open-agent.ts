import { Agent } from '../../agent/agent.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { Context } from '../shell/context.ts';
import { agentOptions } from './open-tools.ts';
import type { RegistrationSettings } from './options.ts';

export interface OpenAgent {
  readonly agent: Agent;
  readonly store: CredentialStore;
}

/** The agent of the library with this machine's credential file, network and clock. */
export async function openAgent(
  context: Context,
  settings?: RegistrationSettings,
): Promise<OpenAgent> {
  const options = await agentOptions(context, settings);
  const agent = new Agent(options);
  context.clocks.follow(agent);
  return { agent, store: options.store };
}
