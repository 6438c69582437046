import { environmentToken } from '../../agent/credentials/environment-token.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import { type AgentOptions, createTools, nowAt, type Tools } from '../../agent/tools.ts';
import { silentLog } from '../../runtime/system.ts';
import type { Context } from '../shell/context.ts';
import type { RegistrationSettings } from './options.ts';
import { absoluteUrl } from './service.ts';

/** This machine's credential file, network and clock, for the agent of the library. */
export async function agentOptions(
  { world, options, fetch, output }: Context,
  { agentName, dialect, member }: RegistrationSettings = {},
): Promise<AgentOptions> {
  const { service } = world.environment;
  return {
    store: tellWaits(await world.openStore(), output),
    fetch: await fetch(),
    clock: world.clock,
    sleep: world.sleep,
    random: world.random,
    log: silentLog,
    strict: options.strict === true,
    allowOrigins: options.allowOrigin,
    name: agentName,
    dialect,
    members: member,
    listenForRedirect: world.listenForRedirect,
    environmentToken: environmentToken(world.environment.source),
    environmentService: service && absoluteUrl(service, 'AGENT_AUTH_SERVICE', options),
    unownedToken: 'named',
  };
}

/** The same store; who waits for another's registration is told. */
function tellWaits(store: CredentialStore, output: Context['output']): CredentialStore {
  const { lock } = store;
  if (lock === undefined) return store;
  const onWait = () => output.say('Another command registers there now: waiting for it.');
  return { ...store, lock: (name, waiting) => lock(name, { ...waiting, onWait }) };
}

/** What the acts of the agent take: for commands that load one act, not the whole agent. */
export async function openTools(context: Context): Promise<Tools> {
  const { signal } = context.interrupt;
  const tools = createTools({ ...(await agentOptions(context)), signal });
  context.clocks.follow({ now: (issuer) => nowAt(tools, issuer) });
  return tools;
}
