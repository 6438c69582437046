import {
  on,
  type Tamper,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../../protocol/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const atResourceMetadata = (path: string) => path.startsWith(PROTECTED_RESOURCE_PATH);
const atServerMetadata = (path: string) => path === AUTHORIZATION_SERVER_PATH;
const atMetadata = (path: string) => atResourceMetadata(path) || atServerMetadata(path);

const atUnauthorized = (path: string, response: Response) =>
  path.startsWith('/api/resource') && response.status === 401;

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
    breaks: ['AR-EP-3', 'AR-ERR-1'],
    fails: { challenge: ['unauthenticated'] },
  },
  acceptedMissingToken: {
    description: 'answers a call without a token as one with a token',
    answers: on(atTokenless, async () => Response.json({ message: 'Hello.' })),
    breaks: ['AR-ERR-1-OPEN'],
    fails: { challenge: ['open'] },
  },
  missingChallenge: {
    description: 'answers 401 without a challenge (RFC 9110 §15.5.2)',
    answers: on(atUnauthorized, withoutHeaders('www-authenticate')),
    breaks: ['BRR-05', 'AR-ERR-1'],
    fails: { challenge: ['bearer'] },
  },
  wrongChallengeSyntax: {
    description: 'sends a challenge with an unclosed quotation mark (RFC 9110 §11.6.1)',
    answers: on(
      atUnauthorized,
      challenge((field) => `${field}, realm="api`),
    ),
    breaks: ['BRR-05'],
    fails: { challenge: ['grammar'] },
  },
  repeatedChallengeParameter: {
    description: 'sends a challenge that has a parameter twice (RFC 6750 §3)',
    answers: on(
      atUnauthorized,
      challenge((field) => `${field}, realm="a", realm="b"`),
    ),
    breaks: ['BRR-09'],
    fails: { challenge: ['once'] },
  },
  missingResourceMetadata: {
    description: 'publishes no metadata for its protected resource (RFC 9728 §3)',
    answers: on(atResourceMetadata, withStatus(404)),
    breaks: ['AR-DOES-6.service', 'AR-EP-1', 'BCP-07', 'PRM-04'],
    fails: { challenge: ['leads-to-metadata'], 'resource-metadata': ['served'] },
  },
  wrongMetadataMediaType: {
    description: 'serves its metadata as plain text (RFC 9728 §3.2, RFC 8414 §3.2)',
    answers: on(atMetadata, withHeader('content-type', 'text/plain')),
    breaks: ['PRM-04', 'ASM-04'],
    fails: { 'resource-metadata': ['media-type'], 'server-metadata': ['media-type'] },
  },
  extraResourceFragment: {
    description: 'names a resource with a fragment (RFC 9728 §1.2)',
    answers: on(
      atResourceMetadata,
      withJson((body) => ({ ...body, resource: `${body['resource']}#it` })),
    ),
    breaks: ['PRM-01', 'AR-DISC-1', 'W2-01', 'W2-02', 'PRM-02'],
    fails: { 'resource-metadata': ['resource', 'requested-resource', 'own-resource'] },
  },
  missingAuthorizationServers: {
    description: 'does not list its authorization servers',
    answers: on(atResourceMetadata, withMembers({ authorization_servers: undefined })),
    breaks: ['AR-DOES-6.service', 'AR-EP-1', 'BCP-07', 'PRM-12.service', 'AR-DISC-2'],
    fails: { challenge: ['leads-to-metadata'], 'resource-metadata': ['authorization-servers'] },
  },
  extraEmptyList: {
    description:
      'publishes an empty list where the member should be left out (RFC 9728 §3.2, RFC 8414 §3.2)',
    answers: on(atMetadata, withMembers({ ui_locales_supported: [] })),
    breaks: ['PRM-05', 'ASM-04'],
    fails: { 'resource-metadata': ['no-empty-members'], 'server-metadata': ['no-empty-members'] },
  },
  missingScopesSupported: {
    description: 'does not list its scopes',
    answers: on(atMetadata, withMembers({ scopes_supported: undefined })),
    breaks: ['AR-DISC-3', 'PRM-17'],
    fails: { 'resource-metadata': ['scopes'] },
  },
  missingBearerMethods: {
    description: 'does not list the ways to send a token',
    answers: on(atMetadata, withMembers({ bearer_methods_supported: undefined })),
    breaks: ['AR-DISC-4'],
    fails: { 'resource-metadata': ['bearer-methods'] },
  },
  wrongBearerMethod: {
    description: 'lists a bearer method that RFC 6750 does not know (RFC 9728 §2)',
    answers: on(atMetadata, withMembers({ bearer_methods_supported: ['header', 'cookie'] })),
    breaks: ['PRM-18'],
    fails: { 'resource-metadata': ['known-methods'] },
  },
  missingResourceName: {
    description: 'does not name its resource (RFC 9728 §2)',
    answers: on(atResourceMetadata, withMembers({ resource_name: undefined })),
    breaks: ['PRM-17'],
    fails: { 'resource-metadata': ['resource-name'] },
  },
  wrongServerMetadataPath: {
    description:
      'publishes the metadata of an issuer with a path at the root of the origin (RFC 8414 §3.1)',
    answers: on(
      atMetadata,
      issuer((name) => `${name}/tenant`),
    ),
    breaks: ['ASM-02', 'BCP-07'],
    fails: { 'server-metadata': ['inserted'] },
  },
  extraIssuerQuery: {
    description: 'names an issuer with a query (RFC 8414 §2)',
    answers: on(
      atMetadata,
      issuer((name) => `${name}?tenant=1`),
    ),
    breaks: ['ASM-01', 'AR-DISC-5'],
    fails: { 'server-metadata': ['issuer'] },
  },
  missingTokenEndpoint: {
    description: 'does not name its token endpoint (RFC 8414 §2)',
    answers: on(atServerMetadata, withMembers({ token_endpoint: undefined })),
    breaks: ['PRM-12.service', 'ASM-05', 'AR-DISC-6'],
    fails: { 'server-metadata': ['token-endpoint'] },
  },
  missingRevocationEndpoint: {
    description: 'does not name its revocation endpoint',
    answers: on(atServerMetadata, withMembers({ revocation_endpoint: undefined })),
    breaks: ['AR-DISC-7'],
    fails: { 'server-metadata': ['revocation-endpoint'] },
  },
  missingGrantTypes: {
    description: 'does not list its grant types (RFC 8414 §2)',
    answers: on(atServerMetadata, withMembers({ grant_types_supported: undefined })),
    breaks: ['AR-DISC-8', 'W2-07'],
    fails: { 'server-metadata': ['bearer-grant', 'claim-grant', 'id-jag-profile'] },
  },
  missingClaimGrant: {
    description: 'does not list its claim grant',
    answers: on(
      atServerMetadata,
      withMembers({ grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] }),
    ),
    breaks: ['AR-DISC-8'],
    fails: { 'server-metadata': ['claim-grant'] },
  },
  extraGrantType: {
    description: 'lists a grant type that it does not accept (RFC 8414 §2)',
    answers: on(
      atServerMetadata,
      withJson((body) => ({
        ...body,
        grant_types_supported: [
          ...(body['grant_types_supported'] as string[]),
          'urn:older:agent-auth:grant-type:claim',
        ],
      })),
    ),
    breaks: ['ASM-06', 'W1-01'],
    fails: { grants: ['listed'] },
  },
  missingResponseTypes: {
    description: 'does not list response types (RFC 8414 §2)',
    answers: on(atServerMetadata, withMembers({ response_types_supported: undefined })),
    breaks: ['ASM-05'],
    fails: { 'server-metadata': ['response-types'] },
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
    breaks: ['ASM-07'],
    fails: { 'server-metadata': ['public-clients'] },
  },
  missingGrantProfile: {
    description: 'does not list the grant profile of ID-JAGs',
    answers: on(
      atServerMetadata,
      withMembers({ authorization_grant_profiles_supported: undefined }),
    ),
    breaks: ['W2-07'],
    fails: { 'server-metadata': ['id-jag-profile'] },
  },
  wrongProtectedResources: {
    description:
      'lists other protected resources than those that name it as their server (RFC 9728 §4)',
    answers: on(atServerMetadata, withMembers({ protected_resources: ['https://other.example'] })),
    breaks: ['PRM-20'],
    fails: { 'server-metadata': ['protected-resources'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
