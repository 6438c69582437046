import type { Transaction } from '../../mock/store/database.ts';
import type { Effect, EffectKind, EffectOf, IssuedToken } from '../claim-machine/effects.ts';
import { type AttemptFacts, NEVER, type RegistrationFacts } from '../claim-machine/facts.ts';
import { auditEffect, type Cause } from './audit.ts';
import { REVOKED_RETENTION } from './retention.ts';
import { type StoredRegistration, updateRow } from './stored-registration.ts';

/**
 * Writes one effect on a registration, and resolves with how that is afterwards, to be stored once all are written;
 * with `undefined` where the effect is beside it.
 */
type EffectWriter<K extends EffectKind> = (
  tx: Transaction,
  registration: StoredRegistration,
  effect: EffectOf<K>,
) => StoredRegistration | Promise<StoredRegistration | undefined>;

/** How each effect of a decision is written. */
export type EffectWriters = { readonly [K in EffectKind]: EffectWriter<K> };

export const EFFECT_WRITERS: EffectWriters = {
  open_attempt: (_tx, registration, { attempt, expiresAt, interval }) => ({
    ...withFacts(registration, {
      attempt: {
        id: attempt.id,
        userCodeHmac: attempt.userCodeHmac,
        expiresAt,
        interval,
        lastPollAt: undefined,
        wrongCodes: 0,
        deniedAt: undefined,
        confirmedAt: undefined,
        confirmedBy: undefined,
      },
    }),
    attemptTokenHash: attempt.tokenHash,
  }),
  record_email: (_tx, registration, { email }) => withFacts(registration, { email }),
  count_wrong_code: (_tx, registration) => {
    const { attempt, wrongCodes } = registration.facts;
    const counted = withAttempt(registration, { wrongCodes: (attempt?.wrongCodes ?? 0) + 1 });
    return withFacts(counted, { wrongCodes: wrongCodes + 1 });
  },
  deny_attempt: (_tx, registration, { at }) => withAttempt(registration, { deniedAt: at }),
  confirm_attempt: (_tx, registration, { at, userId }) =>
    withAttempt(registration, { confirmedAt: at, confirmedBy: userId }),
  record_poll: (_tx, registration, { at, interval }) =>
    withAttempt(registration, { lastPollAt: at, interval }),
  complete_claim: (_tx, registration, { at, userId }) => ({
    ...withFacts(registration, { claimedAt: at, userId }),
    purgeAt: undefined,
  }),
  raise_version: (_tx, registration) =>
    withFacts(registration, { version: registration.facts.version + 1 }),
  end_credentials: async (tx, { facts: { id } }) => {
    for (const table of ['access_tokens', 'assertions', 'refresh_tokens']) {
      await tx.run(`DELETE FROM ${table} WHERE registration_id = ?`, [id]);
    }
  },
  end_delivered_token: async (tx, { deliveredTokenHash = null }) => {
    await tx.run('DELETE FROM access_tokens WHERE hash = ?', [deliveredTokenHash]);
  },
  deliver: async (tx, registration, { at, assertion, token }) => {
    const { facts, idJagIssuedAt } = registration;
    if (idJagIssuedAt !== undefined && facts.delivery === undefined) {
      await insertAssertion(tx, facts.id, idJagIssuedAt, assertion);
    }
    if (token) await insertToken(tx, facts.id, token);
    const delivery = { firstAt: facts.delivery?.firstAt ?? at, assertion };
    return { ...withFacts(registration, { delivery }), deliveredTokenHash: token?.hash };
  },
  issue_token: async (tx, registration, { token }) => {
    await insertToken(tx, registration.facts.id, token);
    // What never ends needs its registration as long.
    return token.expiresAt === NEVER ? { ...registration, purgeAt: undefined } : undefined;
  },
  widen_tokens: async (tx, { facts: { id } }, { scopes }) => {
    const sql = 'UPDATE access_tokens SET scopes = ? WHERE registration_id = ?';
    await tx.run(sql, [scopes.join(' '), id]);
  },
  issue_assertion: async (tx, { facts, idJagIssuedAt }, { assertion }) => {
    if (idJagIssuedAt !== undefined) await insertAssertion(tx, facts.id, idJagIssuedAt, assertion);
  },
  issue_refresh_token: async (tx, { facts, idJagIssuedAt }, { at, expiresAt, hash }) => {
    await tx.run(
      `INSERT INTO refresh_tokens (hash, registration_id, id_jag_issued_at, issued_at, expires_at)
       VALUES (?, ?, ?, ?, ?)`,
      [hash, facts.id, idJagIssuedAt ?? null, at, expiresAt],
    );
  },
  spend_refresh_token: async (tx, _registration, { at, hash }) => {
    await tx.run('UPDATE refresh_tokens SET spent_at = ? WHERE hash = ?', [at, hash]);
  },
  end_refresh_tokens: async (tx, { facts: { id } }) => {
    await tx.run('DELETE FROM refresh_tokens WHERE registration_id = ?', [id]);
  },
  revoke: (_tx, registration, { at }) => ({
    ...withFacts(registration, { revokedAt: at }),
    purgeAt: at + REVOKED_RETENTION,
  }),
};

/** Writes what a decision changes, within the transaction that loaded its facts. */
export async function applyEffects(
  tx: Transaction,
  writers: EffectWriters,
  registration: StoredRegistration,
  effects: readonly Effect[],
  cause: Cause,
): Promise<void> {
  let changed = registration;
  for (const effect of effects) {
    changed = (await writerOf(writers, effect)(tx, changed, effect)) ?? changed;
    await auditEffect(tx, cause, registration.facts.id, effect);
  }
  await updateRow(tx, registration, changed);
}

function writerOf<K extends EffectKind>(
  writers: EffectWriters,
  effect: { readonly kind: K },
): EffectWriter<K> {
  return writers[effect.kind];
}

export function withFacts(
  registration: StoredRegistration,
  facts: Partial<RegistrationFacts>,
): StoredRegistration {
  return { ...registration, facts: { ...registration.facts, ...facts } };
}

function withAttempt(
  registration: StoredRegistration,
  change: Partial<AttemptFacts>,
): StoredRegistration {
  const { attempt } = registration.facts;
  return withFacts(registration, { attempt: attempt && { ...attempt, ...change } });
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
