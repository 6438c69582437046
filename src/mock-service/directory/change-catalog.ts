import { column, controlProblem, type Reader, type Transaction } from '../../mock/index.ts';
import { didYouMean } from '../../runtime/index.ts';
import type { DirectoryService } from '../config/directory.ts';
import {
  deleteMethods,
  insertMethods,
  insertService,
  toCatalogMethod,
  toCatalogService,
} from './catalog-rows.ts';
import { clashOf } from './entry-rules.ts';
import { type ListedService, readService, readServices } from './service-listing.ts';

/** How a control names a service: by its id, or by its name. */
export type ServiceKey = number | string;

/** Adds a service to the catalog. @throws WireProblem (409) where it cannot be beside the others. */
export async function addService(
  tx: Transaction,
  service: DirectoryService,
  base: string,
): Promise<ListedService> {
  await refuseClash(tx, service);
  const last = await tx.get('SELECT MAX(seq) AS seq FROM directory_services');
  const seq = (column.optionalNumber(last?.['seq']) ?? -1) + 1;
  await insertService(tx, seq, toCatalogService(service));
  return readService(tx, base, seq);
}

/**
 * Changes the members of a service that are given, and leaves the others.
 * @throws WireProblem 404 for an unknown service, 409 where it cannot be beside the others.
 */
export async function setService(
  tx: Transaction,
  key: ServiceKey,
  changes: DirectoryService,
  base: string,
): Promise<ListedService> {
  const seq = await seqOf(tx, key);
  const before = await readService(tx, '', seq);
  const after = { ...before, ...withoutUndefined(changes) };
  await refuseClash(tx, after, seq);
  const { id, name, url } = toCatalogService(after);
  await tx.run(
    'UPDATE directory_services SET service_id = ?, service_name = ?, service_url = ? WHERE seq = ?',
    [id, name, url, seq],
  );
  // Methods that stay keep what is not listed.
  if (changes.methods !== undefined) {
    await deleteMethods(tx, seq);
    await insertMethods(tx, seq, (changes.methods ?? []).map(toCatalogMethod));
  }
  return readService(tx, base, seq);
}

/** Takes a service out of the catalog. @throws WireProblem (404) for an unknown one. */
export async function removeService(
  tx: Transaction,
  key: ServiceKey,
  base: string,
): Promise<ListedService> {
  const seq = await seqOf(tx, key);
  const removed = await readService(tx, base, seq);
  await deleteMethods(tx, seq);
  await tx.run('DELETE FROM directory_services WHERE seq = ?', [seq]);
  return removed;
}

/** A number is an id and, where no service has it, a name. */
async function seqOf(reader: Reader, key: ServiceKey): Promise<number> {
  const byId =
    typeof key === 'number'
      ? await reader.all('SELECT seq FROM directory_services WHERE service_id = ?', [key])
      : [];
  const found =
    byId.length > 0
      ? byId
      : await reader.all('SELECT seq FROM directory_services WHERE service_name = ?', [
          String(key),
        ]);
  const [row, another] = found;
  if (row === undefined) {
    const meant = didYouMean(String(key), await namesOf(reader));
    throw controlProblem(
      'not_found',
      `The directory has no service ${JSON.stringify(key)}.${meant}`,
    );
  }
  if (another === undefined) return column.number(row['seq']);
  throw controlProblem('conflict', `Several services are ${JSON.stringify(key)}. Use an id.`);
}

async function namesOf(reader: Reader): Promise<readonly string[]> {
  const rows = await reader.all(
    'SELECT service_name FROM directory_services WHERE service_name IS NOT NULL',
  );
  return rows.map((row) => column.text(row['service_name']));
}

/** @param seq of the service itself, when it is there. */
async function refuseClash(
  tx: Transaction,
  service: DirectoryService,
  seq?: number,
): Promise<void> {
  const clash = clashOf(service, await readServices(tx, '', seq));
  if (clash !== undefined) {
    throw controlProblem('conflict', `${clash.path.join('.')}: ${clash.message}.`);
  }
  if ((service.service_id ?? service.service_name ?? null) !== null) return;
  throw controlProblem('conflict', 'Without an id and a name, nothing could address it.');
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
