import {
  eventEnvelope,
  oauthEnvelope,
  registrationEnvelope,
} from '../../../mock/http/envelopes.ts';
import { randomCodes } from '../../claim-attempt/code-source.ts';
import { claimGrantTypes } from '../../config/config.ts';
import type { ServiceDialect } from '../dialect.ts';
import { crossAppMembers } from '../parts/cross-app-members.ts';
import { serverMetadata } from '../parts/server-metadata.ts';
import { claimStarted, confirmationMembers, deliveryMembers, registered } from './answers.ts';
import { readClaimStart, readRegistration } from './requests.ts';
import { skillFile } from './skill/skill.ts';

/**
 * The wire contract's own: one level of members, the service's assertion, a code that the agent shows and its
 * user types, and a claim grant that the agent polls.
 */
export const FLAT: ServiceDialect = {
  registration: { read: readRegistration, write: registered, confirmation: confirmationMembers },
  claim: { read: readClaimStart, write: claimStarted },
  claimGrant: { types: claimGrantTypes, members: deliveryMembers },
  problems: {
    registration: registrationEnvelope,
    oauth: oauthEnvelope,
    event: eventEnvelope,
  },
  redeemsIdJags: true,
  codes: randomCodes,
  approval: 'submit',
  metadata: (config) => serverMetadata(config, claimGrantTypes(config), crossAppMembers(config)),
  routes: ({ receiveEvent, register, revoke, startClaim, token, typeThere }) => ({
    api: [register, startClaim, token, revoke, receiveEvent],
    claimPages: [typeThere.page, typeThere.complete],
  }),
  skill: skillFile,
};
