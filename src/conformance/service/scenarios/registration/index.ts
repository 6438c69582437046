import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { anonymous, serviceAuth } from './anonymous.ts';
import { enumeration } from './enumeration.ts';
import { forgedHosts } from './forged-hosts.ts';
import { loginHints } from './login-hints.ts';
import { misleadingCodes } from './misleading-codes.ts';
import { registrationAnswers, registrationTypes } from './registration-answers.ts';
import { sentMembers } from './sent-members.ts';

/** What each type of registration answers. */
export const REGISTRATION_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  anonymous,
  serviceAuth,
  registrationAnswers,
  registrationTypes,
  loginHints,
  enumeration,
  forgedHosts,
  misleadingCodes,
  sentMembers,
];
