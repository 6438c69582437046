import type { Transaction } from '../../mock/index.ts';
import type { Effect, IssuedToken } from '../claim-machine/index.ts';
import { auditEffect, type Cause } from './audit.ts';
import { REVOKED_RETENTION } from './retention.ts';
import type { StoredRegistration } from './rows.ts';

/** Writes what a decision changes, within the transaction that loaded its facts. */
export async function applyEffects(
  tx: Transaction,
  registration: StoredRegistration,
  effects: readonly Effect[],
  cause: Cause,
): Promise<void> {
  for (const effect of effects) {
    await applyEffect(tx, registration, effect);
    await auditEffect(tx, cause, registration.facts.id, effect);
  }
}

async function applyEffect(
  tx: Transaction,
  { facts, idJagIssuedAt }: StoredRegistration,
  effect: Effect,
): Promise<void> {
  const { id } = facts;
  switch (effect.kind) {
    case 'open_attempt':
      await tx.run(
        `UPDATE registrations SET attempt_id = ?, attempt_token_hash = ?, attempt_code_hmac = ?,
           attempt_expires_at = ?, attempt_interval = ?, attempt_last_poll_at = NULL,
           attempt_wrong_codes = 0, attempt_denied_at = NULL
         WHERE id = ?`,
        [
          effect.attempt.id,
          effect.attempt.tokenHash,
          effect.attempt.userCodeHmac,
          effect.expiresAt,
          effect.interval,
          id,
        ],
      );
      if (effect.forgives) {
        await tx.run('UPDATE registrations SET wrong_codes = 0 WHERE id = ?', [id]);
      }
      return;
    case 'record_email':
      await tx.run('UPDATE registrations SET email = ? WHERE id = ?', [effect.email, id]);
      return;
    case 'count_wrong_code':
      if (effect.seen !== undefined) {
        await tx.run(
          'UPDATE registrations SET wrong_codes = ?, attempt_wrong_codes = ? WHERE id = ?',
          [effect.seen.registration + 1, effect.seen.attempt + 1, id],
        );
        return;
      }
      await tx.run(
        `UPDATE registrations SET wrong_codes = wrong_codes + 1,
           attempt_wrong_codes = attempt_wrong_codes + 1 WHERE id = ?`,
        [id],
      );
      return;
    case 'deny_attempt':
      await tx.run('UPDATE registrations SET attempt_denied_at = ? WHERE id = ?', [effect.at, id]);
      return;
    case 'record_poll':
      await tx.run(
        'UPDATE registrations SET attempt_last_poll_at = ?, attempt_interval = ? WHERE id = ?',
        [effect.at, effect.interval, id],
      );
      return;
    case 'complete_claim':
      await tx.run(
        `UPDATE registrations SET claimed_at = ?, user_id = ?, version = version + ?,
           purge_at = NULL WHERE id = ?`,
        [effect.at, effect.userId, effect.keepsVersion ? 0 : 1, id],
      );
      if (effect.spreads) {
        await tx.run(
          `UPDATE registrations SET claimed_at = ?, user_id = ?
           WHERE email = ? AND claimed_at IS NULL AND type = 'service_auth'`,
          [effect.at, effect.userId, facts.email ?? ''],
        );
      }
      if (effect.endsTokens) await endCredentials(tx, id);
      return;
    case 'deliver':
      // Of repeated deliveries one token lives: the latest (wire.md §6).
      if (!effect.keepsEarlier) {
        await tx.run(
          `DELETE FROM access_tokens WHERE hash =
             (SELECT delivery_token_hash FROM registrations WHERE id = ?)`,
          [id],
        );
      }
      await tx.run(
        `UPDATE registrations SET delivery_first_at = COALESCE(delivery_first_at, ?),
           delivery_jti = ?, delivery_issued_at = ?, delivery_expires_at = ?,
           delivery_token_hash = ? WHERE id = ?`,
        [
          effect.at,
          effect.assertion.jti,
          effect.assertion.issuedAt,
          effect.assertion.expiresAt,
          effect.token.hash,
          id,
        ],
      );
      if (idJagIssuedAt !== undefined && facts.delivery === undefined) {
        await insertAssertion(tx, id, idJagIssuedAt, effect.assertion);
      }
      await insertToken(tx, id, effect.token);
      return;
    case 'issue_token':
      await insertToken(tx, id, effect.token);
      return;
    case 'revoke':
      await tx.run('UPDATE registrations SET revoked_at = ?, purge_at = ? WHERE id = ?', [
        effect.at,
        effect.at + REVOKED_RETENTION,
        id,
      ]);
      await endCredentials(tx, id);
      return;
  }
}

export async function insertAssertion(
  tx: Transaction,
  registrationId: string,
  idJagIssuedAt: number,
  assertion: { readonly jti: string; readonly expiresAt: number },
): Promise<void> {
  await tx.run(
    'INSERT INTO assertions (jti, registration_id, id_jag_issued_at, expires_at) VALUES (?, ?, ?, ?)',
    [assertion.jti, registrationId, idJagIssuedAt, assertion.expiresAt],
  );
}

async function insertToken(
  tx: Transaction,
  registrationId: string,
  token: IssuedToken,
): Promise<void> {
  await tx.run(
    `INSERT INTO access_tokens (hash, registration_id, scopes, resource, expires_at, id_jag_issued_at)
     VALUES (?, ?, ?, ?, ?, (SELECT id_jag_issued_at FROM assertions WHERE jti = ?))`,
    [
      token.hash,
      registrationId,
      token.scopes.join(' '),
      token.resource,
      token.expiresAt,
      // An event may end what rests on this ID-JAG after the assertion itself is over.
      token.assertionJti,
    ],
  );
}

async function endCredentials(tx: Transaction, registrationId: string): Promise<void> {
  await tx.run('DELETE FROM access_tokens WHERE registration_id = ?', [registrationId]);
  await tx.run('DELETE FROM assertions WHERE registration_id = ?', [registrationId]);
}
