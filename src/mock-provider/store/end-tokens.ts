import type { TokensOf } from '../../mock/controls/controls.ts';
import type { Transaction } from '../../mock/store/database.ts';

/** The sign-ins of a client: by their code, or, once that is forgotten, by the refresh tokens that came of it. */
const OF_CLIENT = `(sign_in IN (SELECT hash FROM authorization_codes WHERE client_id = ?)
  OR sign_in IN (SELECT family FROM client_refresh_tokens WHERE client_id = ?))`;

/**
 * Ends the access and refresh tokens of sign-ins, and the codes that others could be had for. The agent signs in by
 * device code, and is no client of the store: its tokens end where no client is named.
 * @returns how many tokens there were.
 */
export async function endTokens(tx: Transaction, { clientId, email }: TokensOf): Promise<number> {
  const end = async (table: string, ofClient: string) => {
    const conditions = [
      ...(email === undefined ? [] : ['email = ?']),
      ...(clientId === undefined ? [] : [ofClient]),
    ];
    const places = ofClient.split('?').length - 1;
    const values = [
      ...(email === undefined ? [] : [email]),
      ...(clientId === undefined ? [] : Array.from({ length: places }, () => clientId)),
    ];
    return tx.run(`DELETE FROM ${table} WHERE ${['1 = 1', ...conditions].join(' AND ')}`, values);
  };
  const access = await end('sign_in_tokens', OF_CLIENT);
  const refresh = await end('client_refresh_tokens', 'client_id = ?');
  await end('authorization_codes', 'client_id = ?');
  return access + refresh;
}
