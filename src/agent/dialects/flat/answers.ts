import {
  anonymousRegistration,
  anyInterval,
  claimBlock,
  claimStarted,
  identityAssertionRegistration,
  serviceAuthRegistration,
  tokenResponse,
} from '../../../protocol/index.ts';

/**
 * What this agent needs of each answer. The specification names few members; the rest of the wire contract's are
 * taken when they come and missed when they do not, but never taken in another type (ASM-09). Times and claim
 * blocks are read apart: services write both in several ways.
 */
const block = claimBlock.partial({ expires_in: true }).extend({ interval: anyInterval });

const TIMES = { claim_token_expires: true } as const;

/** By the type that was asked for, which the answer may name and may not contradict. */
export const registrationAnswer = {
  anonymous: anonymousRegistration.omit({ ...TIMES, assertion_expires: true }).partial(),
  service_auth: serviceAuthRegistration
    .omit({ ...TIMES, claim: true })
    .extend({ identity_assertion: anonymousRegistration.shape.identity_assertion })
    .partial(),
  identity_assertion: identityAssertionRegistration
    .omit({ assertion_expires: true })
    .extend(
      serviceAuthRegistration.pick({ claim_url: true, claim_token: true, post_claim_scopes: true })
        .shape,
    )
    .partial(),
} as const;

/** A block with a code that the user types, in the place where its errors are shown. */
export const codeBlock = {
  claim: serviceAuthRegistration.pick({ claim: true }).extend({ claim: block }),
  claim_attempt: claimStarted.pick({ claim_attempt: true }).extend({ claim_attempt: block }),
} as const;

export const exchangeAnswer = tokenResponse
  .omit({ assertion_expires: true })
  .partial({ token_type: true });

/**
 * The token of a completed claim, which is given once: its end and its scopes are read apart, so that no spelling
 * of them loses it.
 */
export const collectedAnswer = exchangeAnswer.omit({ expires_in: true, scope: true });

/** A claim that is complete at once, and what a completed one may leave out. */
export const claimedAnswer = collectedAnswer.partial();
