import type { Reader, Row } from '../../mock/index.ts';
import { cell } from './cells.ts';
import { groupRows } from './group-rows.ts';

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

/**
 * `data` of `/api/services`: every service by ascending id, with its methods in their own order.
 * @param but the row of one that is left out.
 */
export async function readServices(
  reader: Reader,
  base: string,
  but = -1,
): Promise<readonly ListedService[]> {
  const services = await reader.all(
    'SELECT * FROM directory_services WHERE seq <> ? ORDER BY service_id NULLS FIRST, seq',
    [but],
  );
  const methods = groupRows(
    await reader.all('SELECT * FROM directory_methods ORDER BY service_seq, position'),
    'service_seq',
  );
  return services.map((row) => toListed(base, row, methods.get(String(row['seq']))));
}

/** The service of a row that is there. */
export async function readService(
  reader: Reader,
  base: string,
  seq: number,
): Promise<ListedService> {
  const row = await reader.get('SELECT * FROM directory_services WHERE seq = ?', [seq]);
  const methods = await reader.all(
    'SELECT * FROM directory_methods WHERE service_seq = ? ORDER BY position',
    [seq],
  );
  return toListed(base, row ?? {}, methods);
}

function toListed(base: string, row: Row, methods: readonly Row[] = []): ListedService {
  return {
    service_id: cell.integer(row['service_id']),
    service_name: cell.text(row['service_name']),
    service_url: serviceUrl(base, cell.text(row['service_url'])),
    // An empty list is published as null.
    methods: methods.length === 0 ? null : methods.map(toListedMethod),
  };
}

function toListedMethod(row: Row): ListedMethod {
  return {
    method_id: cell.integer(row['method_id']),
    method_url: cell.text(row['method_url']),
  };
}

/** A stored path is below the base URL; anything else is shown as it is. */
export function serviceUrl(base: string, stored: string | null): string | null {
  return stored?.startsWith('/') ? base + stored : stored;
}
