import * as z from 'zod';

/** RFC 7519 §2: seconds, fractions allowed. Within what a date can hold. */
const numericDate = z.number().min(0).max(8.64e12);
const text = z.string().min(1);

/** Claims of an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant §3.1, wire contract §3): shape alone. */
export const idJagClaims = z.object({
  iss: text,
  sub: text,
  aud: z.union([text, z.array(text)]),
  client_id: text,
  jti: text,
  iat: numericDate,
  exp: numericDate,
  auth_time: numericDate.optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  phone_number: z.string().optional(),
  phone_number_verified: z.boolean().optional(),
  tenant: text.optional(),
  amr: z.array(z.string()).optional(),
  acr: z.string().optional(),
  name: z.string().optional(),
  resource: z.union([text, z.array(text)]).optional(),
  scope: z.string().optional(),
  agent_platform: z.string().optional(),
  agent_context_id: z.string().optional(),
  nbf: numericDate.optional(),
});
/** The claims of an ID-JAG. */
export type IdJagClaims = z.infer<typeof idJagClaims>;

/** Claims of the service-signed identity assertion (wire contract §3). */
export const identityAssertionClaims = z.object({
  iss: text,
  aud: text,
  sub: text,
  jti: text,
  iat: numericDate,
  exp: numericDate,
  ver: z.number().int().positive(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
});
/** The claims of a service's identity assertion. */
export type IdentityAssertionClaims = z.infer<typeof identityAssertionClaims>;

/** Claims of a security event token (RFC 8417 §2.2, wire contract §7): shape alone. */
export const securityEventClaims = z.object({
  iss: text,
  iat: numericDate,
  jti: text,
  aud: z.union([text, z.array(text)]),
  events: z.record(z.string(), z.record(z.string(), z.unknown())),
  sub: text.optional(),
  sub_id: z.record(z.string(), z.unknown()).optional(),
  toe: numericDate.optional(),
});
/** The claims of a security event token (RFC 8417 §2.2). */
export type SecurityEventClaims = z.infer<typeof securityEventClaims>;
