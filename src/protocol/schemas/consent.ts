import * as z from 'zod';

/**
 * A provider's answer to the revocation of a consent. `event`: whether the service was notified, is still
 * to be, waits for an operator, or cannot be; `null`: another word, or none. No standard
 * has this answer.
 */
export const consentRevocationResponse = z.object({
  audience: z.string(),
  revoked: z.boolean(),
  event: z.enum(['delivered', 'pending', 'parked', 'none']).nullable().catch(null),
  event_problem: z
    .object({ code: z.string(), status: z.number().int().optional() })
    .optional()
    .catch(undefined),
});
/** What a provider answers to the revocation of a consent. */
export type ConsentRevocationResponse = z.infer<typeof consentRevocationResponse>;
