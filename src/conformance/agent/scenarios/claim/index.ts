import {
  claimedAway,
  expiredAttempt,
  finalErrors,
  reopenedAttempt,
  supersededAway,
} from './ends.ts';
import { claimFlow, clockJump, grantName, serviceAuth } from './flows.ts';
import {
  busyPolls,
  defaultInterval,
  endlessPending,
  lostPolls,
  oddTimes,
  slowDown,
} from './pace.ts';

export const CLAIM_SCENARIOS = [
  slowDown,
  oddTimes,
  defaultInterval,
  lostPolls,
  clockJump,
  busyPolls,
  endlessPending,
  claimFlow,
  serviceAuth,
  grantName,
  expiredAttempt,
  reopenedAttempt,
  finalErrors,
  claimedAway,
  supersededAway,
] as const;
