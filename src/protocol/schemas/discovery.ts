import * as z from 'zod';

const url = z.url();

/** `GET /.well-known/oauth-protected-resource` (RFC 9728 §2). Unknown members are dropped. */
export const protectedResourceMetadata = z.object({
  resource: z.string().min(1),
  resource_name: z.string().optional(),
  authorization_servers: z.array(z.string()).min(1),
  scopes_supported: z.array(z.string()).optional(),
  bearer_methods_supported: z.array(z.string()).optional(),
});
/** The metadata of a resource (RFC 9728 §2). */
export type ProtectedResourceMetadata = z.infer<typeof protectedResourceMetadata>;

/** The profile's extension block inside the authorization server metadata. */
export const agentAuthMetadata = z.object({
  skill: url.optional(),
  identity_endpoint: url,
  claim_endpoint: url.optional(),
  events_endpoint: url.optional(),
  identity_types_supported: z.array(z.string()),
  identity_assertion: z.object({ assertion_types_supported: z.array(z.string()) }).optional(),
  events_supported: z.array(z.string()).optional(),
  claim_grant_type: z.string().optional(),
});
/** The block `agent_auth` of server metadata (wire contract §1). */
export type AgentAuthMetadata = z.infer<typeof agentAuthMetadata>;

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §2) of a service or a provider. */
export const authorizationServerMetadata = z.object({
  issuer: z.string().min(1),
  /** The specification publishes both documents as one. */
  resource: z.string().optional(),
  resource_name: z.string().optional(),
  token_endpoint: url,
  revocation_endpoint: url.optional(),
  jwks_uri: url.optional(),
  device_authorization_endpoint: url.optional(),
  /** A provider's own member; no standard has it (wire contract §9). */
  consent_revocation_endpoint: url.optional(),
  grant_types_supported: z.array(z.string()).optional(),
  scopes_supported: z.array(z.string()).optional(),
  response_types_supported: z.array(z.string()).optional(),
  agent_auth: agentAuthMetadata.optional(),
});
/** The metadata of an authorization server (RFC 8414 §2) with its block `agent_auth`. */
export type AuthorizationServerMetadata = z.infer<typeof authorizationServerMetadata>;
