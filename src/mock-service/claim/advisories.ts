import type { Database } from '../../mock/store/database.ts';
import type { Advisory } from '../pages/claim-question.ts';
import type { StoredRegistration } from '../store/rows.ts';

/** The advisories that the claim page shows the owner of the account (AMD-06). */
export async function advisories(
  db: Database,
  userId: string,
  { facts, issuer }: StoredRegistration,
): Promise<readonly Advisory[]> {
  return db.read(async (tx) => {
    const before = 'user_id = ? AND id <> ? AND (claimed_at IS NOT NULL OR needs_claim = 0)';
    const agent = await tx.get(`SELECT id FROM registrations WHERE ${before} LIMIT 1`, [
      userId,
      facts.id,
    ]);
    const provider =
      issuer === undefined ||
      (await tx.get(`SELECT id FROM registrations WHERE ${before} AND issuer = ? LIMIT 1`, [
        userId,
        facts.id,
        issuer,
      ]));
    return [
      ...(agent ? [] : (['first_agent'] as const)),
      ...(provider ? [] : (['first_time_provider'] as const)),
    ];
  });
}
