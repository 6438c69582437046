import { discover } from '../discovery/discover.ts';
import { dialectIn } from '../discovery/reach-service.ts';
import type { Discovery } from '../model.ts';
import { findServiceRecord } from '../records/select-service.ts';
import type { Tools } from '../tools.ts';

/**
 * Discovers a service by what a user typed. Where its documents leave two dialects open, it is the one that a
 * stored registration was made in: nobody has to say it twice.
 */
export async function discoverAgain(tools: Tools, address: string): Promise<Discovery> {
  const record = findServiceRecord(await tools.store.read(), address);
  const dialect = tools.dialect ?? (record && dialectIn(record));
  return discover({ ...tools, dialect }, { address });
}
