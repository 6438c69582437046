import type { FaultCase } from '../fault-case.ts';

export const REGISTRATION_CASES: readonly FaultCase[] = [
  {
    fault: 'oldTokensLive',
    scenarios: ['anonymous'],
    fails: ['anonymous.pre-claim-token-dead'],
  },
  { fault: 'pendingForever', scenarios: ['anonymous'], fails: ['anonymous.claimed'] },
];
