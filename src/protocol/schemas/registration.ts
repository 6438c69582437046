import * as z from 'zod';

/** RFC 3339; the mocks send UTC with milliseconds. */
export const timestamp = z.iso.datetime({ offset: true });

/** What a user needs to complete a claim: the code, where to type it, for how long, how often to poll. */
export const claimBlock = z.object({
  user_code: z.string().min(1).max(64),
  verification_uri: z.string().min(1),
  expires_in: z.number().int().positive(),
  interval: z.number().int().positive().optional(),
});
/** What an answer says of the claim that its user has to make. */
export type ClaimBlock = z.infer<typeof claimBlock>;

/** An interval as a careful reader takes it: 0 and fractions too, which no server should send. */
export const anyInterval = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).optional();

const scopes = z.array(z.string());

/** The answer to a registration of type `anonymous` (wire contract §3). */
export const anonymousRegistration = z.object({
  registration_id: z.string(),
  registration_type: z.literal('anonymous'),
  identity_assertion: z.string(),
  assertion_expires: timestamp,
  pre_claim_scopes: scopes,
  post_claim_scopes: scopes,
  claim_url: z.string(),
  claim_token: z.string(),
  claim_token_expires: timestamp,
});
/** The answer to a registration of type `anonymous`. */
export type AnonymousRegistration = z.infer<typeof anonymousRegistration>;

/** The answer to a registration of type `service_auth` (wire contract §3). */
export const serviceAuthRegistration = z.object({
  registration_id: z.string(),
  registration_type: z.literal('service_auth'),
  claim_url: z.string(),
  claim_token: z.string(),
  claim_token_expires: timestamp,
  post_claim_scopes: scopes,
  claim: claimBlock,
});
/** The answer to a registration of type `service_auth`. */
export type ServiceAuthRegistration = z.infer<typeof serviceAuthRegistration>;

/** The answer to a registration of type `identity_assertion` (wire contract §3). */
export const identityAssertionRegistration = z.object({
  registration_id: z.string(),
  registration_type: z.literal('identity_assertion'),
  identity_assertion: z.string(),
  assertion_expires: timestamp,
  scopes,
});
/** The answer to a registration of type `identity_assertion`. */
export type IdentityAssertionRegistration = z.infer<typeof identityAssertionRegistration>;

/** The body of `401 interaction_required` beside its error members (wire contract §3, outcome 3). */
export const interactionRequired = z.object({
  registration_id: z.string(),
  registration_type: z.literal('identity_assertion'),
  claim_url: z.string(),
  claim_token: z.string(),
  claim_token_expires: timestamp,
  post_claim_scopes: scopes,
  claim: claimBlock,
});
/** The answer to an ID-JAG whose user has to confirm first. */
export type InteractionRequired = z.infer<typeof interactionRequired>;

/** `POST /agent/identity/claim`, 200. */
export const claimStarted = z.object({
  registration_id: z.string(),
  claim_attempt_id: z.string(),
  status: z.literal('initiated'),
  expires_at: timestamp,
  claim_attempt: claimBlock,
});
/** The answer to the start of a claim attempt (wire contract §4). */
export type ClaimStarted = z.infer<typeof claimStarted>;
