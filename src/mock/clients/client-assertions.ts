import type { Transaction } from '../store/database.ts';
import type { Table } from '../store/tables.ts';

/** The client assertions that a mock has taken, until they expire. @param owner of the table: both mocks may have one file. */
export function clientAssertions(owner: 'provider' | 'service'): Table {
  return {
    name: `${owner}_client_assertions`,
    key: 'client_id, jti',
    columns: `
        client_id TEXT NOT NULL,
        jti TEXT NOT NULL,
        expires_at BIGINT NOT NULL`,
    endsAt: 'expires_at',
  };
}

/** A client assertion, by what makes it one of a kind (RFC 7523 §3). */
export interface SpentAssertion {
  readonly clientId: string;
  readonly jti: string;
  /** When it expires, in ms. */
  readonly until: number;
}

/** Whether a client assertion was not taken before; from then on it was. */
export async function spendAssertion(
  tx: Transaction,
  owner: 'provider' | 'service',
  { clientId, jti, until }: SpentAssertion,
  now: number,
): Promise<boolean> {
  const { name } = clientAssertions(owner);
  const added = await tx.run(
    `INSERT INTO ${name} (client_id, jti, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (client_id, jti) DO UPDATE SET expires_at = excluded.expires_at
         WHERE ${name}.expires_at <= ?`,
    [clientId, jti, until, now],
  );
  return added > 0;
}
