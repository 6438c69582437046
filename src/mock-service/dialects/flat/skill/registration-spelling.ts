import type { RegistrationSpelling } from '../../../skill/skill-register.ts';
import { anonymousSample, idJagSample, serviceAuthSample } from './skill-samples.ts';

/** How the skill file reads the answers to registrations. */
export const REGISTRATIONS: RegistrationSpelling = {
  claimToken: 'claim_token',
  assertion: 'identity_assertion',
  shown: ['verification_uri', 'user_code'],
  samples: {
    anonymous: anonymousSample,
    service_auth: serviceAuthSample,
    identity_assertion: idJagSample,
  },
};
