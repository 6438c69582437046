import { controlProblem } from '../../mock/controls/read-control.ts';
import type { Transaction } from '../../mock/store/database.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { DirectoryService } from '../config/directory.ts';
import { type Configured, readCatalog, writeServices } from './catalog.ts';
import { clashOf } from './entries.ts';

/** How a control names a service: by its id, or by its name. */
export type ServiceKey = number | string;

/** What the catalog is after a change, and the service that it was about. */
export type Change = (services: readonly DirectoryService[]) => {
  readonly after: readonly DirectoryService[];
  readonly service: DirectoryService;
};

/** Changes the catalog, and resolves with the service that was changed. */
export async function changeCatalog(
  tx: Transaction,
  configured: Configured,
  change: Change,
): Promise<DirectoryService> {
  const { after, service } = change((await readCatalog(tx, configured)).services);
  await writeServices(tx, configured, after);
  return service;
}

/** Adds a service to the catalog. It throws a WireProblem (409) where it cannot be beside the others. */
export function addService(service: DirectoryService): Change {
  return (services) => {
    refuseClash(service, services);
    return { after: [...services, service], service };
  };
}

/**
 * Changes the members of a service that are given, and leaves the others. It throws a WireProblem: 404 for an
 * unknown service, 409 where it cannot be beside the others.
 */
export function setService(key: ServiceKey, changes: DirectoryService): Change {
  return (services) => {
    const before = findService(services, key);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const service: DirectoryService = { ...before, ...Object.fromEntries(given) };
    refuseClash(
      service,
      services.filter((each) => each !== before),
    );
    return { after: services.map((each) => (each === before ? service : each)), service };
  };
}

/** Takes a service out of the catalog. It throws a WireProblem (404) for an unknown one. */
export function removeService(key: ServiceKey): Change {
  return (services) => {
    const service = findService(services, key);
    return { after: services.filter((each) => each !== service), service };
  };
}

/** A number is an id and, where no service has it, a name. */
function findService(services: readonly DirectoryService[], key: ServiceKey): DirectoryService {
  const withId = services.filter(({ service_id: id }) => id === key);
  const [found, another] =
    withId.length > 0 ? withId : services.filter(({ service_name: name }) => name === String(key));
  if (found === undefined) {
    const names = services.flatMap(({ service_name: name }) => name ?? []);
    throw controlProblem(
      'not_found',
      `The directory has no service ${JSON.stringify(key)}.${didYouMean(String(key), names)}`,
    );
  }
  if (another === undefined) return found;
  throw controlProblem('conflict', `Several services are ${JSON.stringify(key)}. Use an id.`);
}

function refuseClash(service: DirectoryService, others: readonly DirectoryService[]): void {
  const clash = clashOf(service, others);
  if (clash !== undefined) {
    throw controlProblem('conflict', `${clash.path.join('.')}: ${clash.message}.`);
  }
  if ((service.service_id ?? service.service_name ?? null) !== null) return;
  throw controlProblem('conflict', 'Without an id and a name, nothing could address it.');
}
