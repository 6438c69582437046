import type { Reader } from '../../mock/index.ts';
import { cell } from './cells.ts';
import type { Data } from './data.ts';
import { groupKey, groupRows } from './group-rows.ts';
import { serviceUrl } from './service-listing.ts';

/** `data` of `/api/methods`: every method by ascending id, its URL whole. */
export async function readMethods(reader: Reader, base: string): Promise<readonly Data[]> {
  const methods = await reader.all(
    'SELECT * FROM directory_methods ORDER BY method_id NULLS FIRST, service_seq, position',
  );
  const services = groupRows(
    await reader.all('SELECT * FROM directory_services ORDER BY service_id NULLS FIRST, seq'),
    'seq',
  );
  const parameters = groupRows(
    await reader.all(
      'SELECT * FROM directory_parameters ORDER BY service_seq, method_position, position',
    ),
    'service_seq',
    'method_position',
  );
  return methods.map((method) => {
    const service = services.get(groupKey(method, 'service_seq'))?.[0];
    const url = serviceUrl(base, cell.text(service?.['service_url']));
    const template = cell.text(method['method_url']);
    return {
      method_id: cell.integer(method['method_id']),
      method_url: url === null || template === null ? null : url + template,
      service_id: cell.integer(service?.['service_id']),
      service_name: cell.text(service?.['service_name']),
      parameters:
        parameters
          .get(groupKey(method, 'service_seq', 'position'))
          ?.map(({ name }) => cell.text(name)) ?? null,
    };
  });
}
