import { DAY, HOUR, MINUTE, SECOND } from '../../protocol/durations.ts';

/** Every configurable time of the service, in milliseconds (wire contract §0). Ends are exclusive. */
export interface Lifetimes {
  /** How long a claim attempt lasts: its code and its link. Cut to the claim window. */
  readonly userCode: number;
  /** The outer claim window, which is also the end of an unclaimed registration. */
  readonly claimWindow: number;
  /** Polling interval of the claim grant. */
  readonly interval: number;
  /** `identity_assertion` of an ID-JAG registration. */
  readonly assertion: number;
  /** `identity_assertion` after a claim. */
  readonly claimedAssertion: number;
  /** How long an access token lives (RFC 6749 §5.1, `expires_in`). */
  readonly accessToken: number;
  /** Oldest `auth_time` that is accepted. */
  readonly maxAuthAge: number;
  /** Tolerance for times in other parties' JWTs, never for our own. */
  readonly clockSkew: number;
  /** How long the same claim can be polled again, from the first successful claim poll. */
  readonly redelivery: number;
  /** How long each refresh token lives from when it is issued, in a dialect that has them. */
  readonly refreshToken: number;
}

/** The lifetimes of a mock service to which none is given. Milliseconds. */
export const DEFAULT_LIFETIMES: Lifetimes = {
  userCode: 10 * MINUTE,
  claimWindow: DAY,
  interval: 5 * SECOND,
  assertion: HOUR,
  claimedAssertion: 30 * DAY,
  accessToken: HOUR,
  maxAuthAge: HOUR,
  clockSkew: MINUTE,
  redelivery: 10 * MINUTE,
  refreshToken: 30 * DAY,
};

/** A completed claim that was not collected stays collectable for at least this long after its completion. */
export const MIN_COLLECTION = HOUR;

/**
 * How long each fetch of a provider's keys or metadata may take, from the request to the end of the body: whoever
 * registers waits for it. The mock has no timers of its own, so those hold it that choose its `fetch`.
 */
export const KEY_FETCH_LIMIT = 5 * SECOND;

/** An ID-JAG that is valid for longer than this is refused. */
export const MAX_ID_JAG_LIFETIME = HOUR;
