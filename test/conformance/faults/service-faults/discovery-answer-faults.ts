import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import {
  atMetadata,
  atResourceMetadata,
  atServerMetadata,
  atUnauthorized,
} from '../../../../src/mock-service/faults/discovery-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withJson, withMembers, withStatus } = rewire;

const atTokenless = (path: string, response: Response, request: Request) =>
  atUnauthorized(path, response) && !request.headers.has('authorization');

function challenge(change: (field: string) => string): Tamper {
  return (response) => {
    response.headers.set(
      'www-authenticate',
      change(response.headers.get('www-authenticate') ?? ''),
    );
    return response;
  };
}

/** Every place that names the issuer, in both documents. */
function issuer(change: (issuer: string) => string): Tamper {
  return withJson((body) => ({
    ...body,
    authorization_servers: (body['authorization_servers'] as string[]).map(change),
    ...(typeof body['issuer'] === 'string' && { issuer: change(body['issuer']) }),
  }));
}

/** Faults: what it answers wrongly in its discovery documents and challenges. */
export const DISCOVERY_ANSWER_FAULTS = {
  wrongMissingTokenStatus: {
    description: 'answers 403 to a call without a token (RFC 9110 §15.5.2)',
    answers: on(atTokenless, withStatus(403)),
    fails: { challenge: ['unauthenticated'] },
  },
  acceptedMissingToken: {
    description: 'answers a call without a token as one with a token',
    answers: on(atTokenless, async () => Response.json({ message: 'Hello.' })),
    fails: { challenge: ['open'] },
  },
  wrongChallengeSyntax: {
    description: 'sends a challenge with an unclosed quotation mark (RFC 9110 §11.6.1)',
    answers: on(
      atUnauthorized,
      challenge((field) => `${field}, realm="api`),
    ),
    fails: { challenge: ['grammar'] },
  },
  repeatedChallengeParameter: {
    description: 'sends a challenge that has a parameter twice (RFC 6750 §3)',
    answers: on(
      atUnauthorized,
      challenge((field) => `${field}, realm="a", realm="b"`),
    ),
    fails: { challenge: ['once'] },
  },
  missingResourceMetadata: {
    description: 'publishes no metadata for its protected resource (RFC 9728 §3)',
    answers: on(atResourceMetadata, withStatus(404)),
    fails: { challenge: ['leads-to-metadata'], 'resource-metadata': ['served'] },
  },
  extraResourceFragment: {
    description: 'names a resource with a fragment (RFC 9728 §1.2)',
    answers: on(
      atResourceMetadata,
      withJson((body) => ({ ...body, resource: `${body['resource']}#it` })),
    ),
    fails: { 'resource-metadata': ['resource', 'requested-resource', 'own-resource'] },
  },
  missingAuthorizationServers: {
    description: 'does not list its authorization servers',
    answers: on(atResourceMetadata, withMembers({ authorization_servers: undefined })),
    fails: {
      challenge: ['leads-to-metadata'],
      'resource-metadata': ['authorization-servers'],
      'redemption-resource': ['metadata'],
    },
  },
  extraEmptyList: {
    description:
      'publishes an empty list where the member should be left out (RFC 9728 §3.2, RFC 8414 §3.2)',
    answers: on(atMetadata, withMembers({ ui_locales_supported: [] })),
    fails: { 'resource-metadata': ['no-empty-members'], 'server-metadata': ['no-empty-members'] },
  },
  missingScopesSupported: {
    description: 'does not list its scopes',
    answers: on(atMetadata, withMembers({ scopes_supported: undefined })),
    fails: { 'resource-metadata': ['scopes'] },
  },
  missingBearerMethods: {
    description: 'does not list the ways to send a token',
    answers: on(atMetadata, withMembers({ bearer_methods_supported: undefined })),
    fails: { 'resource-metadata': ['bearer-methods'] },
  },
  wrongBearerMethod: {
    description: 'lists a bearer method that RFC 6750 does not know (RFC 9728 §2)',
    answers: on(atMetadata, withMembers({ bearer_methods_supported: ['header', 'cookie'] })),
    fails: { 'resource-metadata': ['known-methods'] },
  },
  missingResourceName: {
    description: 'does not name its resource (RFC 9728 §2)',
    answers: on(atResourceMetadata, withMembers({ resource_name: undefined })),
    fails: { 'resource-metadata': ['resource-name'] },
  },
  wrongServerMetadataPath: {
    description:
      'publishes the metadata of an issuer with a path at the root of the origin (RFC 8414 §3.1)',
    answers: on(
      atMetadata,
      issuer((name) => `${name}/tenant`),
    ),
    fails: { 'server-metadata': ['inserted'] },
  },
  extraIssuerQuery: {
    description: 'names an issuer with a query (RFC 8414 §2)',
    answers: on(
      atMetadata,
      issuer((name) => `${name}?tenant=1`),
    ),
    fails: { 'server-metadata': ['issuer'] },
  },
  missingTokenEndpoint: {
    description: 'does not name its token endpoint (RFC 8414 §2)',
    answers: on(atServerMetadata, withMembers({ token_endpoint: undefined })),
    fails: { 'server-metadata': ['token-endpoint'], 'cross-app-metadata': ['token-endpoint'] },
  },
  missingRevocationEndpoint: {
    description: 'does not name its revocation endpoint',
    answers: on(atServerMetadata, withMembers({ revocation_endpoint: undefined })),
    fails: { 'server-metadata': ['revocation-endpoint'] },
  },
  missingGrantTypes: {
    description: 'does not list its grant types (RFC 8414 §2)',
    answers: on(atServerMetadata, withMembers({ grant_types_supported: undefined })),
    fails: {
      'server-metadata': ['bearer-grant', 'claim-grant', 'id-jag-profile'],
      'cross-app-metadata': ['grant'],
    },
  },
  missingClaimGrant: {
    description: 'does not list its claim grant',
    answers: on(
      atServerMetadata,
      withMembers({ grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] }),
    ),
    fails: { 'server-metadata': ['claim-grant'] },
  },
  missingResponseTypes: {
    description: 'does not list response types (RFC 8414 §2)',
    answers: on(atServerMetadata, withMembers({ response_types_supported: undefined })),
    fails: { 'server-metadata': ['response-types'], 'cross-app-metadata': ['response-types'] },
  },
  missingAuthMethods: {
    description: 'does not say that its clients are public (RFC 8414 §2)',
    answers: on(
      atServerMetadata,
      withMembers({
        token_endpoint_auth_methods_supported: undefined,
        revocation_endpoint_auth_methods_supported: undefined,
      }),
    ),
    fails: { 'server-metadata': ['public-clients'] },
  },
  missingGrantProfile: {
    description: 'does not list the grant profile of ID-JAGs',
    answers: on(
      atServerMetadata,
      withMembers({ authorization_grant_profiles_supported: undefined }),
    ),
    fails: { 'server-metadata': ['id-jag-profile'], 'cross-app-metadata': ['profile'] },
  },
  wrongProtectedResources: {
    description:
      'lists other protected resources than those that name it as their server (RFC 9728 §4)',
    answers: on(atServerMetadata, withMembers({ protected_resources: ['https://other.example'] })),
    fails: { 'server-metadata': ['protected-resources'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
