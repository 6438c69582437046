import * as z from 'zod';
import type { JsonObject } from './json.ts';
import { identityAssertionClaims, idJagClaims, securityEventClaims } from './schemas/assertions.ts';
import { consentRevocationResponse } from './schemas/consent.ts';
import { directoryMeta, directoryServices } from './schemas/directory.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from './schemas/discovery.ts';
import {
  anonymousRegistration,
  claimStarted,
  identityAssertionRegistration,
  interactionRequired,
  serviceAuthRegistration,
} from './schemas/registration.ts';
import { claimRequest, completeRequest, identityRequest } from './schemas/requests.ts';
import {
  deviceAuthorizationResponse,
  deviceTokenResponse,
  tokenExchangeResponse,
  tokenResponse,
} from './schemas/token.ts';

// Spelled out, because a door shows no type of zod.
/** A message of the protocol whose JSON Schema is published. */
export type WireSchemaName =
  | 'protected-resource-metadata'
  | 'authorization-server-metadata'
  | 'identity-request'
  | 'anonymous-registration'
  | 'service-auth-registration'
  | 'identity-assertion-registration'
  | 'interaction-required'
  | 'claim-request'
  | 'claim-started'
  | 'complete-request'
  | 'token-response'
  | 'token-exchange-response'
  | 'device-authorization-response'
  | 'device-token-response'
  | 'consent-revocation-response'
  | 'id-jag-claims'
  | 'identity-assertion-claims'
  | 'security-event-claims'
  | 'directory-meta'
  | 'directory-services';

/** The schemas with their titles and what they are of, by the name that each is published under. */
const WIRE: Readonly<
  Record<WireSchemaName, readonly [schema: z.ZodType, title: string, description: string]>
> = {
  'protected-resource-metadata': [
    protectedResourceMetadata,
    'Protected resource metadata',
    'The answer of /.well-known/oauth-protected-resource (RFC 9728 §2).',
  ],
  'authorization-server-metadata': [
    authorizationServerMetadata,
    'Authorization server metadata',
    'The answer of /.well-known/oauth-authorization-server (RFC 8414 §2), of a service with the block agent_auth.',
  ],
  'identity-request': [
    identityRequest,
    'Registration request',
    'The body of a registration (wire contract §3).',
  ],
  'anonymous-registration': [
    anonymousRegistration,
    'Anonymous registration',
    'The answer to a registration of the type anonymous (wire contract §3).',
  ],
  'service-auth-registration': [
    serviceAuthRegistration,
    'Registration by email',
    'The answer to a registration of the type service_auth: of no use before its user has claimed it (wire contract §3).',
  ],
  'identity-assertion-registration': [
    identityAssertionRegistration,
    'Registration by ID-JAG',
    'The answer to a registration of the type identity_assertion (wire contract §3, outcomes 1 and 2).',
  ],
  'interaction-required': [
    interactionRequired,
    'Confirmation of a link',
    'What 401 interaction_required has beside its error members (wire contract §3, outcome 3).',
  ],
  'claim-request': [
    claimRequest,
    'Claim request',
    'The body that opens a claim attempt (wire contract §4).',
  ],
  'claim-started': [
    claimStarted,
    'Opened claim attempt',
    'The answer to a claim request (wire contract §4).',
  ],
  'complete-request': [
    completeRequest,
    'Decision of a user',
    'The body with which a signed-in user approves or denies a claim (wire contract §5).',
  ],
  'token-response': [
    tokenResponse,
    'Token response',
    'The success of a token endpoint (RFC 6749 §5.1); the claim grant adds the last two members (wire contract §6).',
  ],
  'token-exchange-response': [
    tokenExchangeResponse,
    'Token exchange response',
    'The answer of a provider that mints an ID-JAG, which is the access_token (RFC 8693 §2.2.1).',
  ],
  'device-authorization-response': [
    deviceAuthorizationResponse,
    'Device authorization response',
    'How a sign-in at a provider begins (RFC 8628 §3.2).',
  ],
  'device-token-response': [
    deviceTokenResponse,
    'Device token response',
    'How a sign-in at a provider ends: the ID token is the session that mints (RFC 8628 §3.5).',
  ],
  'consent-revocation-response': [
    consentRevocationResponse,
    'Consent revocation response',
    'The answer of a provider that a consent was taken back at (wire contract §9).',
  ],
  'id-jag-claims': [
    idJagClaims,
    'Claims of an ID-JAG',
    'The payload of a JWT of the type oauth-id-jag+jwt (wire contract §3): its shape alone.',
  ],
  'identity-assertion-claims': [
    identityAssertionClaims,
    'Claims of an identity assertion',
    'The payload of the JWT that a service signs for a registration, of the type agent-identity+jwt (wire contract §3).',
  ],
  'security-event-claims': [
    securityEventClaims,
    'Claims of a security event token',
    'The payload of a JWT of the type secevent+jwt (RFC 8417 §2.2, wire contract §7): its shape alone.',
  ],
  'directory-meta': [
    directoryMeta,
    'Meta of the directory',
    'What every answer of a service directory carries about the request (wire contract §10).',
  ],
  'directory-services': [
    directoryServices,
    'Services of the directory',
    'The data of /api/services.json (wire contract §10).',
  ],
};

/** The names of the published JSON Schemas. */
export const WIRE_SCHEMA_NAMES = Object.keys(WIRE) as readonly WireSchemaName[];

/**
 * The JSON Schema (2020-12) of a message, as it is on the wire: other members are allowed, as the readers
 * ignore what they do not know.
 */
export function wireJsonSchema(name: WireSchemaName): JsonObject {
  const [schema, title, description] = WIRE[name];
  const { $schema: _meta, ...members } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return { title, description, ...members };
}
