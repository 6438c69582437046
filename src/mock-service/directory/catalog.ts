import type { Reader } from '../../mock/index.ts';
import { cell } from './cells.ts';
import { matchTemplate } from './match-template.ts';
import { CATALOG_ROOT, type DirectoryPath } from './url.ts';

/** A method of the catalog, as it is in the database now. */
interface CatalogEntry {
  readonly methodId: number | null;
}

/**
 * The catalog entry that a path is of: the service by its stored path, the method by the
 * template that fits best.
 */
export async function findCatalogEntry(
  reader: Reader,
  base: string,
  { segments }: DirectoryPath,
): Promise<CatalogEntry | undefined> {
  const [root, service, ...rest] = segments;
  if (`/${root}` !== CATALOG_ROOT || service === undefined) return undefined;
  const path = `${CATALOG_ROOT}/${service}`;
  const rows = await reader.all(
    `SELECT m.method_id, m.method_url FROM directory_services s
     JOIN directory_methods m ON m.service_seq = s.seq
     WHERE s.service_url IN (?, ?)
     ORDER BY m.service_seq, m.position`,
    [path, base + path],
  );
  const found = matchTemplate(
    rows.map((row) => ({ row, template: cell.text(row['method_url']) ?? '' })),
    rest,
  );
  return found && { methodId: cell.integer(found.row['method_id']) };
}
