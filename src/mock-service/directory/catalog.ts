import type { Reader, Transaction } from '../../mock/store/database.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { DirectoryService } from '../config/directory.ts';
import { PUBLISHED_SERVICES } from './published.ts';

/** A service as the listing shows it. */
export type ListedService = {
  readonly service_id: number | null;
  readonly service_name: string | null;
  /** Whole. */
  readonly service_url: string | null;
  /** `null` for none. */
  readonly methods: readonly ListedMethod[] | null;
};

/** A method as the directory lists it, in the names of the wire. */
export type ListedMethod = {
  readonly method_id: number | null;
  readonly method_url: string | null;
};

/** What the directory starts with: services that are configured, without them the published ones. */
export type Configured = readonly DirectoryService[] | undefined;

/** What the database has of the directory now. */
export interface Catalog {
  /** The services in the order in which they came; a URL below the base is its path. */
  readonly services: readonly DirectoryService[];
  /** Successful calls of all methods so far, on every replica. */
  readonly served: number;
}

/**
 * Reads the one row of the directory. Services are in it once a control has changed them, and count for the
 * configuration that they were changed under.
 */
export async function readCatalog(reader: Reader, configured: Configured): Promise<Catalog> {
  const row = await reader.get('SELECT served, configuration, services FROM directory');
  const isChanged = row?.['configuration'] === nameOf(configured);
  return {
    services: isChanged
      ? (JSON.parse(String(row['services'])) as readonly DirectoryService[])
      : (configured ?? PUBLISHED_SERVICES),
    served: Number(row?.['served'] ?? 0),
  };
}

export async function writeServices(
  tx: Transaction,
  configured: Configured,
  services: readonly DirectoryService[],
): Promise<void> {
  await tx.run(
    `INSERT INTO directory (id, served, configuration, services) VALUES (1, 0, ?, ?)
     ON CONFLICT (id) DO UPDATE SET configuration = excluded.configuration, services = excluded.services`,
    [nameOf(configured), JSON.stringify(services)],
  );
}

function nameOf(configured: Configured): string {
  return configured === undefined ? 'published' : sha256(JSON.stringify(configured));
}

/** Counts a successful call. Resolves with the count. */
export async function countRequest(tx: Transaction): Promise<number> {
  await tx.run(
    `INSERT INTO directory (id, served) VALUES (1, 1)
     ON CONFLICT (id) DO UPDATE SET served = directory.served + 1`,
  );
  return Number((await tx.get('SELECT served FROM directory'))?.['served']);
}

/** `data` of `/api/services`: every service by ascending id, with its methods in their own order. */
export function listServices({ services }: Catalog, base: string): readonly ListedService[] {
  return byId(services, ({ service_id: id }) => id).map((service) => toListed(service, base));
}

export function toListed(service: DirectoryService, base: string): ListedService {
  const { methods, service_id, service_name, service_url } = service;
  return {
    service_id: service_id ?? null,
    service_name: service_name ?? null,
    service_url: service_url?.startsWith('/') ? base + service_url : (service_url ?? null),
    // An empty list is published as null.
    methods: methods?.length
      ? methods.map(({ method_id, method_url }) => ({
          method_id: method_id ?? null,
          method_url: method_url ?? null,
        }))
      : null,
  };
}

/** The entries by ascending id, null first; those of one id stay as they are. */
export function byId<T>(
  entries: readonly T[],
  idOf: (entry: T) => number | null | undefined,
): readonly T[] {
  return entries.toSorted((a, b) => (idOf(a) ?? -1) - (idOf(b) ?? -1));
}
