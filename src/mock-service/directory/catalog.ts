import type { Reader } from '../../mock/index.ts';
import { cell } from './cells.ts';
import { matchTemplate } from './match-template.ts';
import { CATALOG_ROOT, type DirectoryPath } from './url.ts';

/** A method of the catalog, as it is in the database now. */
interface CatalogEntry {
  readonly methodId: number | null;
}

/** A service is not sought at a path of more segments, however long the request's is. */
const MOST_SEGMENTS = 16;

/**
 * The catalog entry that a path is of: of every service whose stored path it is below, the method by the
 * template that fits best.
 */
export async function findCatalogEntry(
  reader: Reader,
  base: string,
  { segments }: DirectoryPath,
): Promise<CatalogEntry | undefined> {
  if (`/${segments[0]}` !== CATALOG_ROOT) return undefined;
  const roots = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`).slice(0, -1);
  const paths = roots.slice(0, MOST_SEGMENTS);
  if (paths.length === 0) return undefined;
  const urls = [...paths, ...paths.map((path) => base + path)];
  const rows = await reader.all(
    `SELECT s.service_url, m.method_id, m.method_url, m.alias_url FROM directory_services s
     JOIN directory_methods m ON m.service_seq = s.seq
     WHERE s.service_url IN (${urls.map(() => '?').join(', ')})
     ORDER BY m.service_seq, m.position`,
    urls,
  );
  const found = matchTemplate(
    rows.flatMap((row) => {
      const root = pathBelow(base, cell.text(row['service_url']) ?? '');
      return [row['method_url'], row['alias_url']].map((url) => ({
        row,
        template: root + (cell.text(url) ?? ''),
      }));
    }),
    segments,
  );
  return found && { methodId: cell.integer(found.row['method_id']) };
}

function pathBelow(base: string, url: string): string {
  return url.startsWith('/') ? url : url.slice(base.length);
}
