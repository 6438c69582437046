import * as z from 'zod';

/** `POST /agent/identity`; members of other types are ignored (wire contract §3). */
export const identityRequest = z.object({
  type: z.string(),
  assertion: z.string().optional(),
  assertion_type: z.string().optional(),
  login_hint: z.string().optional(),
  /** What the agent calls itself (RFC 7591 §2); `agent_name` goes first. */
  client_name: z.string().optional(),
  agent_name: z.string().optional(),
});
/** The body of a registration (wire contract §3). */
export type IdentityRequest = z.infer<typeof identityRequest>;

/** `POST /agent/identity/claim`; `login_hint` is read as `email` (wire contract §4). */
export const claimRequest = z.object({
  claim_token: z.string().min(1),
  email: z.string().optional(),
  login_hint: z.string().optional(),
});
/** The body that starts a claim attempt (wire contract §4). */
export type ClaimRequest = z.infer<typeof claimRequest>;

/** `POST /agent/identity/claim/complete` (wire contract §5). */
export const completeRequest = z.object({
  claim_attempt_token: z.string().min(1),
  user_code: z.string().optional(),
  decision: z.enum(['approve', 'deny']).optional(),
});
/** The body by which a user completes a claim (wire contract §5). */
export type CompleteRequest = z.infer<typeof completeRequest>;
