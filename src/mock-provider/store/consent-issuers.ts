import { column, type Transaction } from '../../mock/index.ts';

/** Records that the provider named its user as this issuer's. */
export async function noteIssuer(
  tx: Transaction,
  { email, audience, issuer }: Readonly<Record<'email' | 'audience' | 'issuer', string>>,
): Promise<void> {
  await tx.run(
    `INSERT INTO consent_issuers (email, audience, issuer) VALUES (?, ?, ?)
     ON CONFLICT DO NOTHING`,
    [email, audience, issuer],
  );
}

/**
 * The issuers that named the user to the audience; removes them. For a consent that was not used yet, or
 * is older than this table: `own`.
 */
export async function takeIssuers(
  tx: Transaction,
  email: string,
  audience: string,
  own: string,
): Promise<readonly string[]> {
  const rows = await tx.all(
    'SELECT issuer FROM consent_issuers WHERE email = ? AND audience = ? ORDER BY issuer',
    [email, audience],
  );
  await tx.run('DELETE FROM consent_issuers WHERE email = ? AND audience = ?', [email, audience]);
  return rows.length === 0 ? [own] : rows.map(({ issuer }) => column.text(issuer));
}
