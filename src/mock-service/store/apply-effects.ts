import type { Transaction } from '../../mock/store/database.ts';
import type { Effect, EffectKind, EffectOf, IssuedToken } from '../claim-machine/effects.ts';
import { NEVER } from '../claim-machine/facts.ts';
import { auditEffect, type Cause } from './audit.ts';
import { REVOKED_RETENTION } from './retention.ts';
import type { StoredRegistration } from './rows.ts';

/** Writes one effect on a registration, as it was loaded. */
type EffectWriter<K extends EffectKind> = (
  tx: Transaction,
  registration: StoredRegistration,
  effect: EffectOf<K>,
) => Promise<unknown>;

/** How each effect of a decision is written. */
export type EffectWriters = { readonly [K in EffectKind]: EffectWriter<K> };

export const EFFECT_WRITERS: EffectWriters = {
  open_attempt: (tx, { facts }, { attempt, expiresAt, interval }) =>
    tx.run(
      `UPDATE registrations SET attempt_id = ?, attempt_token_hash = ?, attempt_code_hmac = ?,
         attempt_expires_at = ?, attempt_interval = ?, attempt_last_poll_at = NULL,
         attempt_wrong_codes = 0, attempt_denied_at = NULL, attempt_confirmed_at = NULL,
         attempt_confirmed_by = NULL
       WHERE id = ?`,
      [attempt.id, attempt.tokenHash, attempt.userCodeHmac, expiresAt, interval, facts.id],
    ),
  record_email: (tx, { facts }, { email }) =>
    tx.run('UPDATE registrations SET email = ? WHERE id = ?', [email, facts.id]),
  count_wrong_code: (tx, { facts }) =>
    tx.run(
      `UPDATE registrations SET wrong_codes = wrong_codes + 1,
         attempt_wrong_codes = attempt_wrong_codes + 1 WHERE id = ?`,
      [facts.id],
    ),
  deny_attempt: (tx, { facts }, { at }) =>
    tx.run('UPDATE registrations SET attempt_denied_at = ? WHERE id = ?', [at, facts.id]),
  confirm_attempt: (tx, { facts }, { at, userId }) =>
    tx.run(
      'UPDATE registrations SET attempt_confirmed_at = ?, attempt_confirmed_by = ? WHERE id = ?',
      [at, userId, facts.id],
    ),
  record_poll: (tx, { facts }, { at, interval }) =>
    tx.run('UPDATE registrations SET attempt_last_poll_at = ?, attempt_interval = ? WHERE id = ?', [
      at,
      interval,
      facts.id,
    ]),
  complete_claim: (tx, { facts }, { at, userId }) =>
    tx.run('UPDATE registrations SET claimed_at = ?, user_id = ?, purge_at = NULL WHERE id = ?', [
      at,
      userId,
      facts.id,
    ]),
  raise_version: (tx, { facts }) =>
    tx.run('UPDATE registrations SET version = version + 1 WHERE id = ?', [facts.id]),
  end_credentials: async (tx, { facts }) => {
    await tx.run('DELETE FROM access_tokens WHERE registration_id = ?', [facts.id]);
    await tx.run('DELETE FROM assertions WHERE registration_id = ?', [facts.id]);
    await endRefreshTokens(tx, facts.id);
  },
  end_delivered_token: (tx, { facts }) =>
    tx.run(
      `DELETE FROM access_tokens WHERE hash =
         (SELECT delivery_token_hash FROM registrations WHERE id = ?)`,
      [facts.id],
    ),
  deliver: async (tx, { facts, idJagIssuedAt }, { at, assertion, token }) => {
    await tx.run(
      `UPDATE registrations SET delivery_first_at = COALESCE(delivery_first_at, ?),
         delivery_jti = ?, delivery_issued_at = ?, delivery_expires_at = ?,
         delivery_token_hash = ? WHERE id = ?`,
      [at, assertion.jti, assertion.issuedAt, assertion.expiresAt, token?.hash ?? null, facts.id],
    );
    if (idJagIssuedAt !== undefined && facts.delivery === undefined) {
      await insertAssertion(tx, facts.id, idJagIssuedAt, assertion);
    }
    if (token) await insertToken(tx, facts.id, token);
  },
  issue_token: async (tx, { facts }, { token }) => {
    await insertToken(tx, facts.id, token);
    // What never ends needs its registration as long.
    if (token.expiresAt === NEVER) {
      await tx.run('UPDATE registrations SET purge_at = NULL WHERE id = ?', [facts.id]);
    }
  },
  widen_tokens: (tx, { facts }, { scopes }) =>
    tx.run('UPDATE access_tokens SET scopes = ? WHERE registration_id = ?', [
      scopes.join(' '),
      facts.id,
    ]),
  issue_assertion: async (tx, { facts, idJagIssuedAt }, { assertion }) => {
    if (idJagIssuedAt !== undefined) await insertAssertion(tx, facts.id, idJagIssuedAt, assertion);
  },
  issue_refresh_token: (tx, { facts, idJagIssuedAt }, { at, expiresAt, hash }) =>
    tx.run(
      `INSERT INTO refresh_tokens (hash, registration_id, id_jag_issued_at, issued_at, expires_at)
       VALUES (?, ?, ?, ?, ?)`,
      [hash, facts.id, idJagIssuedAt ?? null, at, expiresAt],
    ),
  spend_refresh_token: (tx, _registration, { at, hash }) =>
    tx.run('UPDATE refresh_tokens SET spent_at = ? WHERE hash = ?', [at, hash]),
  end_refresh_tokens: (tx, { facts }) => endRefreshTokens(tx, facts.id),
  revoke: (tx, { facts }, { at }) =>
    tx.run('UPDATE registrations SET revoked_at = ?, purge_at = ? WHERE id = ?', [
      at,
      at + REVOKED_RETENTION,
      facts.id,
    ]),
};

/** Writes what a decision changes, within the transaction that loaded its facts. */
export async function applyEffects(
  tx: Transaction,
  writers: EffectWriters,
  registration: StoredRegistration,
  effects: readonly Effect[],
  cause: Cause,
): Promise<void> {
  for (const effect of effects) {
    await writerOf(writers, effect)(tx, registration, effect);
    await auditEffect(tx, cause, registration.facts.id, effect);
  }
}

function writerOf<K extends EffectKind>(
  writers: EffectWriters,
  effect: { readonly kind: K },
): EffectWriter<K> {
  return writers[effect.kind];
}

async function endRefreshTokens(tx: Transaction, registrationId: string): Promise<void> {
  await tx.run('DELETE FROM refresh_tokens WHERE registration_id = ?', [registrationId]);
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
      // An event may end what rests on this ID-JAG after the assertion itself has expired.
      token.assertionJti,
    ],
  );
}
