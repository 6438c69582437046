import { describe, expect, it } from 'vitest';
import { bothMocks, flowsOn } from '../../mock/traffic/all-flows.ts';
import { judged } from './judge-exchanges.ts';

/** A fault of the mock service, and the requirement that its traffic shows broken. */
const SERVICE: readonly (readonly [fault: string, requirement: string])[] = [
  ['wrongResource', 'W2-02'],
  ['wrongIssuer', 'ASM-02'],
  ['missingChallenge', 'BRR-05'],
  ['missingMetadataHint', 'AR-EP-3'],
  ['wrongTokenCacheControl', 'TOK-04'],
  ['wrongRegistrationCacheControl', 'TOK-04'],
  ['wrongTokenMediaType', 'TOK-03'],
  ['exposedUserCodeInLink', 'DEV-11'],
  ['exposedClaimTokenInLink', 'DEV-14'],
  ['missingFrameProtection', 'BCP-02'],
  ['wrongRedirectStatus307', 'BCP-03'],
];

const PROVIDER: typeof SERVICE = [
  ['wrongTokenCacheControl', 'TOK-04.provider'],
  ['wrongIdJagAudience', 'IDJ-03'],
  ['missingIssuedTokenType', 'IDJ-12'],
  ['wrongTokenType', 'IDJ-12'],
];

/** What the judge finds where our agent meets that fault: it may refuse to go on. */
async function foundWith(faults: { service?: string; provider?: string }) {
  const flows = await bothMocks({ faults });
  for (const flow of flowsOn(flows)) await flow().catch(() => {});
  const found = judged(flows.log.read().exchanges);
  return [...new Set(found.map(({ by, requirement }) => `${by} ${requirement}`))];
}

describe('the traffic of a service with a fault', () => {
  it.each(SERVICE)('%s', async (service, requirement) => {
    expect(await foundWith({ service })).toEqual([`service ${requirement}`]);
  });
});

describe('the traffic of a provider with a fault', () => {
  it.each(PROVIDER)('%s', async (provider, requirement) => {
    expect(await foundWith({ provider })).toEqual([`provider ${requirement}`]);
  });
});
