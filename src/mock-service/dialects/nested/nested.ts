import { derivedCodes } from '../../claim-secrets/attempt-secrets.ts';
import type { RedemptionWire, ServiceDialect } from '../dialect.ts';
import { serverMetadata } from '../parts/server-metadata.ts';
import { claimStarted, confirmationMembers, redeemed, registered } from './answers.ts';
import { PROBLEMS } from './problems.ts';
import { readClaimStart, readRedemption, readRegistration } from './requests.ts';
import { skillFile } from './skill.ts';

/** A code brings an assertion and a refresh token, once: an answer that got lost is lost. */
const REDEMPTION: RedemptionWire = {
  read: readRedemption,
  write: redeemed,
  withRefreshToken: true,
  redelivers: false,
  isMailed: false,
};

/**
 * The reconciled version: `identity` and `claim` are objects, the page shows the code and the agent hands it in,
 * and a refresh token gets the next assertion. There is no claim grant.
 */
export const NESTED: ServiceDialect = {
  registration: { read: readRegistration, write: registered, confirmation: confirmationMembers },
  claim: { read: readClaimStart, write: claimStarted },
  claimGrant: undefined,
  problems: PROBLEMS,
  codes: derivedCodes,
  approval: 'confirm',
  metadata: (config) => serverMetadata(config, []),
  routes: ({ readBack, receiveEvent, register, revoke, startClaim, token }) => ({
    api: [register, startClaim, readBack.redeem(REDEMPTION), token, revoke, receiveEvent],
    claimPages: [readBack.page, readBack.confirm],
  }),
  skill: skillFile,
};
