import { endedAccess } from './ended.ts';
import { callFlow, leaving, oddTokens } from './flows.ts';
import {
  busyService,
  directory,
  narrowToken,
  redirectedCall,
  refusedToken,
  secondService,
} from './refusals.ts';

export const CALL_SCENARIOS = [
  callFlow,
  oddTokens,
  refusedToken,
  endedAccess,
  narrowToken,
  busyService,
  redirectedCall,
  secondService,
  leaving,
  directory,
] as const;
