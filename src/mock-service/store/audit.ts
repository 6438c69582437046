import { type Actor, type AuditEntry, recordAudit } from '../../mock/audit/audit.ts';
import type { Transaction } from '../../mock/store/database.ts';
import type { Effect, EffectKind } from '../claim-machine/effects.ts';

/** Who causes a change, and when (ms). */
export interface Cause {
  readonly actor: Actor;
  readonly at: number;
}

/** Records a change of the service in the audit trail, in its transaction (AMD-11). */
export async function audit(
  tx: Transaction,
  { actor, at }: Cause,
  action: AuditEntry['action'],
  registrationId: string | undefined,
  detail?: AuditEntry['detail'],
): Promise<void> {
  await recordAudit(tx, {
    owner: 'service',
    at,
    actor,
    action,
    registrationId,
    ...(detail && { detail }),
  });
}

/** What the trail calls an effect of the claim machine; the pace of polls and what follows from others is not in it. */
const ACTIONS: Readonly<Partial<Record<EffectKind, AuditEntry['action']>>> = {
  open_attempt: 'claim.started',
  count_wrong_code: 'claim.code_wrong',
  deny_attempt: 'claim.denied',
  confirm_attempt: 'claim.confirmed',
  complete_claim: 'claim.completed',
  deliver: 'claim.delivered',
  issue_token: 'token.issued',
  spend_refresh_token: 'registration.refreshed',
  end_refresh_tokens: 'credentials.ended',
  revoke: 'registration.revoked',
};

/** Records an effect of the claim machine, where the trail has a name for it. */
export async function auditEffect(
  tx: Transaction,
  cause: Cause,
  registrationId: string,
  effect: Effect,
): Promise<void> {
  const action = ACTIONS[effect.kind];
  if (action !== undefined) await audit(tx, cause, action, registrationId, detailOf(effect));
}

function detailOf(effect: Effect): AuditEntry['detail'] {
  if (effect.kind === 'open_attempt') return { attempt: effect.attempt.id };
  const token = 'token' in effect ? effect.token : undefined;
  return token && { scope: token.scopes.join(' '), resource: token.resource };
}
