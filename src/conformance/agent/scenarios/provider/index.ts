import {
  consent,
  endedRegistration,
  idJag,
  loginRequired,
  lostAnswer,
  staleSignIn,
} from './flows.ts';
import { identityErrors, interaction } from './interaction.ts';

export const PROVIDER_MINTS_SCENARIOS = [
  idJag,
  interaction,
  consent,
  endedRegistration,
  staleSignIn,
  loginRequired,
  lostAnswer,
  identityErrors,
] as const;
