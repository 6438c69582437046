import { type AnswerFault, withMembers } from '../../mock/index.ts';
import { PATHS } from '../metadata.ts';

/** What the mock provider can be told to decide wrongly when it signs users in. */
export const SIGN_IN_FAULTS = {
  devicePendingUnnamed: 'calls a code that waits for its user an expired one (RFC 8628 §3.5)',
  deviceNoSlowDown: 'never tells an agent that it polls too fast (RFC 8628 §3.5)',
  deviceNeverDone: 'never delivers a completed sign-in',
  lateDeviceCodeLives: 'lets a device code wait beyond its end (RFC 8628 §3.2)',
  deviceDenialIgnored: 'signs an agent in that its user refused (RFC 8628 §3.5)',
  idTokenAudienceForeign: 'issues ID tokens for another client (OpenID Connect Core §2)',
  idTokenTampered: 'issues ID tokens whose signature does not hold',
} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly when it signs users in. */
export const SIGN_IN_ANSWER_FAULTS = {
  deviceLifeUnsaid: {
    says: 'does not say how long a device code lives (RFC 8628 §3.2)',
    at: (path) => path === PATHS.deviceAuthorization,
    spoil: withMembers({ expires_in: undefined }),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
