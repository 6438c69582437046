import { ExpiredRows } from '../../mock/index.ts';

/** What of the provider's tables has expired; of the outbox, only what nobody waits for (`queueEvent`). */
export function expiredRows(): ExpiredRows {
  return new ExpiredRows([
    { name: 'device_codes', key: 'device_code_hash', endsAt: 'purge_at' },
    { name: 'code_tries', key: 'email', endsAt: 'expires_at' },
    { name: 'sign_in_tokens', key: 'device_code_hash', endsAt: 'expires_at' },
    { name: 'consent_requests', key: 'id', endsAt: 'expires_at' },
  ]);
}
