import { ExpiredRows, type ExpiringTable } from '../../mock/index.ts';
import { DAY } from '../../protocol/index.ts';

/** How long an unclaimed registration is kept after its end, so that late requests get the right answer. */
export const EXPIRED_RETENTION = 7 * DAY;

/** How long a revoked registration is kept. */
export const REVOKED_RETENTION = 30 * DAY;

/** How long the `jti` of an event is remembered; an event carries no `exp` (wire contract §7). */
export const EVENT_JTI_RETENTION = 30 * DAY;

/** How long a mail can be read. */
export const MAIL_RETENTION = 7 * DAY;

const EXPIRING: readonly ExpiringTable[] = [
  { name: 'access_tokens', key: 'hash', endsAt: 'expires_at' },
  { name: 'assertions', key: 'jti', endsAt: 'expires_at' },
  { name: 'refresh_tokens', key: 'hash', endsAt: 'expires_at' },
  { name: 'used_jtis', key: 'kind, issuer, jti', endsAt: 'expires_at' },
  { name: 'subject_revocations', key: 'issuer, subject', endsAt: 'expires_at' },
  { name: 'rate_counters', key: 'bucket', endsAt: 'expires_at' },
  { name: 'mails', key: 'id', endsAt: 'expires_at' },
  { name: 'registrations', key: 'id', endsAt: 'purge_at' },
];

/** What of the service's tables has expired. */
export function expiredRows(): ExpiredRows {
  return new ExpiredRows(EXPIRING);
}
