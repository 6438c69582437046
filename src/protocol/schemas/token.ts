import * as z from 'zod';
import { timestamp } from './registration.ts';

/** A token endpoint's success (RFC 6749 §5.1). The claim grant adds the last two members. */
export const tokenResponse = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().int().positive().optional(),
  scope: z.string().optional(),
  identity_assertion: z.string().optional(),
  assertion_expires: timestamp.optional(),
});
/** A token answer (RFC 6749 §5.1). */
export type TokenResponse = z.infer<typeof tokenResponse>;

/** A provider's token exchange (RFC 8693 §2.2.1); `access_token` is the ID-JAG. */
export const tokenExchangeResponse = z.object({
  access_token: z.string().min(1),
  issued_token_type: z.string(),
  token_type: z.string(),
  expires_in: z.number().int().positive().optional(),
  scope: z.string().optional(),
});
/** The answer to a token exchange (RFC 8693 §2.2.1). */
export type TokenExchangeResponse = z.infer<typeof tokenExchangeResponse>;

/** RFC 8628 §3.2. */
export const deviceAuthorizationResponse = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1).max(64),
  verification_uri: z.string().min(1),
  verification_uri_complete: z.string().optional(),
  expires_in: z.number().int().positive(),
  interval: z.number().int().positive().optional(),
});
/** The answer that opens a sign-in by device code (RFC 8628 §3.2). */
export type DeviceAuthorizationResponse = z.infer<typeof deviceAuthorizationResponse>;

/** The device grant's success at a provider: the ID token is the session that mints. */
export const deviceTokenResponse = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().int().positive().optional(),
  id_token: z.string().min(1),
});
/** The answer that ends one: with an ID token. */
export type DeviceTokenResponse = z.infer<typeof deviceTokenResponse>;
