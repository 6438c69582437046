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
  narrowToken,
  busyService,
  redirectedCall,
  secondService,
  leaving,
  directory,
] as const;
