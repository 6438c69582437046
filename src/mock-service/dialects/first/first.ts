import { randomCodes } from '../../claim-attempt/code-source.ts';
import { widenCredentials } from '../../claim-machine/after-claim.ts';
import type { ServiceDialect } from '../dialect.ts';
import { codeLetter } from '../parts/code-letter.ts';
import { claimStarted, confirmationMembers, REDEMPTION, registered } from './answers.ts';
import { firstMetadata } from './metadata.ts';
import { FIRST_PROBLEMS } from './problems.ts';
import { readClaimStart, readRegistration } from './requests.ts';
import { firstSkill } from './skill.ts';

/**
 * v0.1: a registration answers with an API key, a claim is completed with a code that its user reads in a mail, and
 * the key then reaches further. There is no token endpoint.
 */
export const FIRST: ServiceDialect = {
  registration: { read: readRegistration, write: registered, confirmation: confirmationMembers },
  claim: { read: readClaimStart, write: claimStarted },
  direct: { prefix: 'sk_test_', isEndless: true },
  afterClaim: widenCredentials,
  linkExisting: 'silent',
  letter: codeLetter,
  claimGrant: undefined,
  problems: FIRST_PROBLEMS,
  metadata: firstMetadata,
  codes: randomCodes,
  approval: 'submit',
  givesForCode: true,
  routes: ({ mailed, readBack, receiveEvent, register, startClaim }) => ({
    api: [register, startClaim, readBack.redeem(REDEMPTION), receiveEvent],
    claimPages: [mailed.page, mailed.deny],
  }),
  skill: firstSkill,
};
