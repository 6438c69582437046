import { HOUR, MINUTE, SECOND } from '../../protocol/durations.ts';

/** Every configurable time of the provider, in milliseconds. Ends are exclusive. */
export interface ProviderLifetimes {
  /** An ID-JAG. A service refuses one that is valid for longer than an hour. */
  readonly idJag: number;
  /** A device code and its user code. */
  readonly deviceCode: number;
  /** Polling interval of the device grant. */
  readonly interval: number;
  /** The ID token that a sign-in ends in: the agent's session. */
  readonly idToken: number;
  /** The access token of a sign-in, for the user info alone. */
  readonly accessToken: number;
  /** The oldest sign-in that an ID-JAG is minted from. */
  readonly maxAuthAge: number;
  /** The oldest sign-in of a browser that an agent is signed in with; beyond it the user signs in again. */
  readonly freshSignIn: number;
  /** How long a consent page waits for its user. */
  readonly consentRequest: number;
}

/** The lifetimes of a mock provider to which none is given. Milliseconds. */
export const DEFAULT_PROVIDER_LIFETIMES: ProviderLifetimes = {
  idJag: 5 * MINUTE,
  deviceCode: 10 * MINUTE,
  interval: 5 * SECOND,
  idToken: 12 * HOUR,
  accessToken: HOUR,
  maxAuthAge: HOUR,
  freshSignIn: 5 * MINUTE,
  consentRequest: HOUR,
};

/** How long the answer to the last poll can be fetched again, should it have been lost. */
export const DEVICE_REDELIVERY = MINUTE;

/** How long an expired device code is remembered, so that a late poll gets the true answer. */
export const DEVICE_RETENTION = 24 * HOUR;
