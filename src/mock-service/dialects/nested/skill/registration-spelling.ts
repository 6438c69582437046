import type { RegistrationSpelling } from '../../../skill/skill-register.ts';
import { anonymousSample, idJagSample, serviceAuthSample } from './skill-samples.ts';

/** How the skill file reads the answers to registrations. */
export const REGISTRATIONS: RegistrationSpelling = {
  claimToken: 'token',
  assertion: 'assertion',
  shown: ['verification_uri'],
  samples: {
    anonymous: anonymousSample,
    service_auth: serviceAuthSample,
    identity_assertion: idJagSample,
  },
};
