import {
  consent,
  endedRegistration,
  idJag,
  loginRequired,
  lostAnswer,
  staleSignIn,
} from './flows.ts';

export const PROVIDER_MINTS_SCENARIOS = [
  idJag,
  consent,
  endedRegistration,
  staleSignIn,
  loginRequired,
  lostAnswer,
] as const;
