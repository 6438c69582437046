import type { Transaction } from '../../mock/index.ts';
import type { DirectoryMethod, DirectoryService } from '../config/directory.ts';

/** A service of the catalog, as it is stored. */
export interface CatalogService {
  readonly id: number | null;
  readonly name: string | null;
  /** From the base URL where it begins with a slash, for example `/v2/api`. */
  readonly url: string | null;
  readonly methods: readonly CatalogMethod[];
}

export interface CatalogMethod {
  readonly id: number | null;
  readonly template: string | null;
  /** Another path that it answers at, which is not listed. */
  readonly alias: string | null;
  readonly parameters: readonly string[];
}

/** A service as it was configured or set, for the store. */
export function toCatalogService(service: DirectoryService): CatalogService {
  const { methods, service_id: id, service_name: name, service_url: url } = service;
  return {
    id: id ?? null,
    name: name ?? null,
    url: url ?? null,
    methods: (methods ?? []).map(toCatalogMethod),
  };
}

/** The parameters of a method are the variables of its path, as all that were published are. */
export function toCatalogMethod({
  method_id: id,
  method_url: url,
}: DirectoryMethod): CatalogMethod {
  const parameters = [...(url ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { id: id ?? null, template: url ?? null, alias: null, parameters };
}

export async function insertService(
  tx: Transaction,
  seq: number,
  { id, methods, name, url }: CatalogService,
): Promise<void> {
  await tx.run(
    'INSERT INTO directory_services (seq, service_id, service_name, service_url) VALUES (?, ?, ?, ?)',
    [seq, id, name, url],
  );
  await insertMethods(tx, seq, methods);
}

export async function insertMethods(
  tx: Transaction,
  serviceSeq: number,
  methods: readonly CatalogMethod[],
): Promise<void> {
  for (const [position, { alias, id, parameters, template }] of methods.entries()) {
    await tx.run(
      `INSERT INTO directory_methods (service_seq, position, method_id, method_url, alias_url)
       VALUES (?, ?, ?, ?, ?)`,
      [serviceSeq, position, id, template, alias],
    );
    for (const [at, parameter] of parameters.entries()) {
      await tx.run(
        `INSERT INTO directory_parameters (service_seq, method_position, position, name)
         VALUES (?, ?, ?, ?)`,
        [serviceSeq, position, at, parameter],
      );
    }
  }
}

export async function deleteMethods(tx: Transaction, serviceSeq: number): Promise<void> {
  await tx.run('DELETE FROM directory_parameters WHERE service_seq = ?', [serviceSeq]);
  await tx.run('DELETE FROM directory_methods WHERE service_seq = ?', [serviceSeq]);
}
