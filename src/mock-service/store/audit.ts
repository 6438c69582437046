import { type Actor, type AuditEntry, recordAudit, type Transaction } from '../../mock/index.ts';
import type { Effect } from '../claim-machine/index.ts';

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

/** Records an effect of the claim machine; the pace of polls and dependent effects are not recorded. */
export async function auditEffect(
  tx: Transaction,
  cause: Cause,
  registrationId: string,
  effect: Effect,
): Promise<void> {
  switch (effect.kind) {
    case 'open_attempt':
      return audit(tx, cause, 'claim.started', registrationId, { attempt: effect.attempt.id });
    case 'count_wrong_code':
      return audit(tx, cause, 'claim.code_wrong', registrationId);
    case 'deny_attempt':
      return audit(tx, cause, 'claim.denied', registrationId);
    case 'confirm_attempt':
      return audit(tx, cause, 'claim.confirmed', registrationId);
    case 'complete_claim':
      return audit(tx, cause, 'claim.completed', registrationId);
    case 'deliver':
      return audit(
        tx,
        cause,
        'claim.delivered',
        registrationId,
        effect.token && tokenDetail(effect.token),
      );
    case 'issue_token':
      return audit(tx, cause, 'token.issued', registrationId, tokenDetail(effect.token));
    case 'spend_refresh_token':
      return audit(tx, cause, 'registration.refreshed', registrationId);
    case 'end_refresh_tokens':
      return audit(tx, cause, 'credentials.ended', registrationId);
    case 'revoke':
      return audit(tx, cause, 'registration.revoked', registrationId);
    case 'record_email':
    case 'record_poll':
    case 'raise_version':
    case 'end_credentials':
    case 'end_delivered_token':
    case 'issue_assertion':
    case 'issue_refresh_token':
    case 'widen_tokens':
      return;
  }
}

function tokenDetail({ scopes, resource }: { scopes: readonly string[]; resource: string }) {
  return { scope: scopes.join(' '), resource };
}
