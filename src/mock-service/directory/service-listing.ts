import type { Reader } from '../../mock/index.ts';
import { cell } from './cells.ts';
import type { Data } from './data.ts';
import { groupRows } from './group-rows.ts';

/** `data` of `/api/services`: every service by ascending id, with its methods in their own order. */
export async function readServices(reader: Reader, base: string): Promise<readonly Data[]> {
  const services = await reader.all(
    'SELECT * FROM directory_services ORDER BY service_id NULLS FIRST, seq',
  );
  const methods = groupRows(
    await reader.all('SELECT * FROM directory_methods ORDER BY service_seq, position'),
    'service_seq',
  );
  return services.map((service) => ({
    service_id: cell.integer(service['service_id']),
    service_name: cell.text(service['service_name']),
    service_url: serviceUrl(base, cell.text(service['service_url'])),
    // An empty list is published as null.
    methods:
      methods.get(String(service['seq']))?.map((method) => ({
        method_id: cell.integer(method['method_id']),
        method_url: cell.text(method['method_url']),
      })) ?? null,
  }));
}

/** A stored path is below the base URL; anything else is shown as it is. */
export function serviceUrl(base: string, stored: string | null): string | null {
  return stored?.startsWith('/') ? base + stored : stored;
}
