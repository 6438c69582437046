import type { AgentTask } from '../agent-task.ts';
import type { AgentWorld, ObservedRun } from '../agent-world.ts';
import type { ControlStep } from '../control-runs.ts';
import type { ServicePeer } from '../service-peer.ts';
import {
  type DiscoveryDocuments,
  fetchedDocuments,
  publishDiscovery,
} from './publish-discovery.ts';
import { need } from './traffic.ts';

interface RunAt {
  /** How far the agent has to get by right documents. Default: `registration`. */
  readonly until?: ControlStep;
  /** The hostile document: without it, there was nothing to refuse. */
  readonly fetched?: 'resource' | 'server';
  readonly task?: AgentTask;
}

/**
 * Runs the agent, in fresh folders, at a service with these documents. They are where this agent finds right ones.
 * @throws CannotTest when it finds those nowhere, or did not fetch these.
 */
export async function runAt(
  world: AgentWorld,
  documents: (service: ServicePeer) => DiscoveryDocuments | Promise<DiscoveryDocuments>,
  { until = 'registration', fetched, task = 'call' }: RunAt = {},
): Promise<{ readonly service: ServicePeer; readonly run: ObservedRun }> {
  const place = await world.controls.place(until);
  await world.harness.forget();
  const service = await world.service();
  service.move(place);
  publishDiscovery(service, await documents(service));
  const run = await world.run(task, { service });
  const isFetched = fetched === undefined || fetchedDocuments(service, fetched).length > 0;
  need(isFetched, `The agent did not fetch the metadata of the ${fetched}`, run);
  return { service, run };
}
