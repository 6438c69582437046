import {
  anonymousRegistration,
  anyInterval,
  claimBlock,
  claimStarted,
  identityAssertionRegistration,
  interactionRequired,
  serviceAuthRegistration,
  tokenResponse,
} from '../../../protocol/index.ts';

/**
 * What this agent needs of each answer. The specification names few members; the rest of the wire contract's are
 * taken when they come and missed when they do not, but never taken in another type (ASM-09).
 */
const block = claimBlock.partial({ expires_in: true }).extend({ interval: anyInterval });

export const anonymousAnswer = anonymousRegistration
  .partial()
  .required({ identity_assertion: true, claim_token: true });

export const serviceAuthAnswer = serviceAuthRegistration
  .partial()
  .extend({ claim: block })
  .required({ claim_token: true });

export const identityAssertionAnswer = identityAssertionRegistration
  .partial()
  .required({ identity_assertion: true });

export const interactionAnswer = interactionRequired
  .partial()
  .extend({ claim: block })
  .required({ claim_token: true });

export const claimStartAnswer = claimStarted.partial().extend({ claim_attempt: block });

export const exchangeAnswer = tokenResponse.partial({ token_type: true });

export const claimPollAnswer = exchangeAnswer.required({ identity_assertion: true });

/** A claim that is complete at once, and what a completed one may leave out. */
export const claimedAnswer = tokenResponse.partial();
