import { MINUTE } from '../../protocol/index.ts';
import type { DialectId, Service, ServiceRecord } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';
import { readService } from './find-service.ts';
import { Hops } from './hops.ts';

/**
 * How long a service is known without reading its metadata again: as long as the wire contract lets it be cached (§2).
 */
const KNOWN_FOR = 5 * MINUTE;

/**
 * The service of a stored record, from its server's metadata as it is now. The resource stays the one
 * that was checked when the agent registered. Its answer also shows the server's time.
 * @throws AgentError as `discover`.
 */
export async function reachService(tools: Tools, record: ServiceRecord): Promise<Service> {
  const peer = peerOf(tools, record.issuer, record.clockOffset);
  if (record.registrations.every(({ crossApp }) => crossApp !== undefined)) {
    const { reachResourceServer } = await import('./resource-server.ts');
    return (await reachResourceServer(tools, record)).service;
  }
  const known = tools.known.get(record.issuer);
  const isRecent = known !== undefined && tools.context.clock.now() - known.readAt < KNOWN_FOR;
  // One server may be that of several APIs: what is known must be of this one.
  if (isRecent && peer.clockSeen && known.service.resource === record.resource) {
    return known.service;
  }
  const namedBy = { resource: record.resource, name: record.name ?? undefined };
  const hops = new Hops(tools);
  // Where documents leave two open, it is the one that the registration was made in.
  const dialect = tools.dialect ?? dialectIn(record);
  const issuer = { issuer: record.issuer, by: namedBy };
  return (await readService({ ...tools, dialect }, issuer, hops)).service;
}

/** What the registration in use was made in. */
export function dialectIn({ registrations, current }: ServiceRecord): DialectId | undefined {
  return registrations.find(({ id }) => id === current)?.dialect;
}
