import { DAY } from '../../protocol/durations.ts';

/** How long an unclaimed registration is kept after its end, so that late requests get the right answer. */
export const EXPIRED_RETENTION = 7 * DAY;

/** How long a revoked registration is kept. */
export const REVOKED_RETENTION = 30 * DAY;

/** How long the `jti` of an event is remembered; an event carries no `exp` (wire contract §7). */
export const EVENT_JTI_RETENTION = 30 * DAY;

/** How long a mail can be read. */
export const MAIL_RETENTION = 7 * DAY;
