import type { FaultCase } from '../fault-case.ts';

const one = (fault: string, ...fails: readonly string[]): FaultCase => ({
  fault,
  scenarios: ['device-sign-in'],
  fails: fails.map((check) => `device-sign-in.${check}`),
});

export const SIGN_IN_CASES: readonly FaultCase[] = [
  one('deviceLifeUnsaid', 'started'),
  one('devicePendingUnnamed', 'pending'),
  one('deviceNoSlowDown', 'slow-down'),
  one('deviceNeverDone', 'signed-in'),
  one('idTokenAudienceForeign', 'id-token-audience'),
  one('idTokenTampered', 'id-token-signature'),
  {
    fault: 'deviceDenialIgnored',
    scenarios: ['device-denied'],
    fails: ['device-denied.no-token', 'device-denied.code'],
  },
  {
    fault: 'lateDeviceCodeLives',
    scenarios: ['device-expired'],
    fails: ['device-expired.expired'],
  },
  {
    fault: 'providerAnswersCacheable',
    scenarios: ['device-sign-in', 'mint'],
    fails: ['device-sign-in.uncached', 'mint.uncached'],
  },
];
