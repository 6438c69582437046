import { type AgentWorld, type ObservedRun, refusal } from '../agent-world.ts';
import { PROTECTED_RESOURCE, type ServicePeer } from '../service-peer.ts';
import { goodCall, need } from './traffic.ts';

/** The resource's answer to a token that is not in force (RFC 6750 §3.1, RFC 9728 §5.1). */
export function invalidToken(service: ServicePeer): Response {
  const { pathname } = new URL(service.resource);
  const metadata = service.origin + PROTECTED_RESOURCE + pathname;
  const challenge = `Bearer error="invalid_token", resource_metadata="${metadata}"`;
  return refusal(401, { error: 'invalid_token' }, { 'www-authenticate': challenge });
}

/** A run after which the agent has a token that works. @throws CannotTest when it has none. */
export async function mustCall(
  world: AgentWorld,
  service: ServicePeer,
  facts: Partial<Parameters<AgentWorld['run']>[1]> = {},
): Promise<ObservedRun> {
  const run = await world.mustRun('call', { service, ...facts });
  need(goodCall(run.traffic), 'The agent did not call with a token', run);
  return run;
}
