import { column, type Reader, type Row, type Transaction } from '../../mock/index.ts';

/** Counts a successful call, in the transaction that reads its data. */
export async function countRequest(tx: Transaction): Promise<void> {
  await tx.run(
    `INSERT INTO directory_requests (id, served) VALUES (1, 1)
     ON CONFLICT (id) DO UPDATE SET served = COALESCE(directory_requests.served, 0) + 1`,
  );
}

const SERVED = 'SELECT served FROM directory_requests WHERE id = 1';

/** Successful calls of all methods so far, on every replica. */
export async function servedRequests(reader: Reader): Promise<number> {
  return servedIn(await reader.get(SERVED));
}

/** The same for a call that is about to be counted: until it is, another one waits. */
export async function servedBefore(tx: Transaction): Promise<number> {
  return servedIn(await tx.getForUpdate(SERVED));
}

function servedIn(row: Row | undefined): number {
  return column.optionalNumber(row?.['served']) ?? 0;
}
