import {
  type AnswerFault,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../../protocol/index.ts';
import { FORWARDING_FAULTS } from './forwarding-faults.ts';
import { PUBLISHED_FAULTS } from './published-faults.ts';

/** What the mock service can be told to decide wrongly in its discovery documents and challenges. */
export const DISCOVERY_FAULTS = {
  errorWithoutToken: 'names an error in the challenge to a call without a token (RFC 6750 §3.1)',
  badTokenHintless: 'does not say where its metadata is when a token is bad (RFC 9728 §5.1)',
  hintLeadsNowhere: 'names in its challenge an address without a document (RFC 9728 §5.1)',
  originMetadataAlone: 'has metadata for its origin alone, not for each path (RFC 9728 §3.1)',
  listedTypeOff: 'lists a registration type that is switched off',
  trustTold: 'lists the providers that it trusts in its metadata',
  appCredentialsTaken:
    'gives tokens by client_credentials, a grant that it does not list (RFC 8414 §2)',
  grantCodeWrong: 'answers an unknown grant with invalid_request (RFC 6749 §5.2)',
} as const satisfies Readonly<Record<string, string>>;

const atResourceMetadata = (path: string) => path.startsWith(PROTECTED_RESOURCE_PATH);
const atServerMetadata = (path: string) => path === AUTHORIZATION_SERVER_PATH;
const atMetadata = (path: string) => atResourceMetadata(path) || atServerMetadata(path);

const atUnauthorized = (path: string, response: Response) =>
  path.startsWith('/api/resource') && response.status === 401;

const atTokenless = (path: string, response: Response, request: Request) =>
  atUnauthorized(path, response) && !request.headers.has('authorization');

function challenge(change: (field: string) => string): AnswerFault['spoil'] {
  return (response) => {
    response.headers.set(
      'www-authenticate',
      change(response.headers.get('www-authenticate') ?? ''),
    );
    return response;
  };
}

/** Every place that names the issuer, in both documents. */
function issuer(change: (issuer: string) => string): AnswerFault['spoil'] {
  return withJson((body) => ({
    ...body,
    authorization_servers: (body['authorization_servers'] as string[]).map(change),
    ...(typeof body['issuer'] === 'string' && { issuer: change(body['issuer']) }),
  }));
}

/** What it can be told to answer wrongly in its discovery documents and challenges. */
export const DISCOVERY_ANSWER_FAULTS = {
  forbiddenWithoutToken: {
    says: 'answers 403 to a call without a token (RFC 9110 §15.5.2)',
    at: atTokenless,
    spoil: withStatus(403),
  },
  noChallenge: {
    says: 'sends 401 without a challenge (RFC 9110 §15.5.2)',
    at: atUnauthorized,
    spoil: withoutHeaders('www-authenticate'),
  },
  challengeUnreadable: {
    says: 'sends a challenge with an open quote (RFC 9110 §11.6.1)',
    at: atUnauthorized,
    spoil: challenge((field) => `${field}, realm="api`),
  },
  challengeDoubled: {
    says: 'sends a challenge with a parameter twice (RFC 6750 §3)',
    at: atUnauthorized,
    spoil: challenge((field) => `${field}, realm="a", realm="b"`),
  },
  noResourceMetadata: {
    says: 'has no metadata of its protected resource (RFC 9728 §3)',
    at: atResourceMetadata,
    spoil: withStatus(404),
  },
  metadataAsText: {
    says: 'sends its metadata as plain text (RFC 9728 §3.2, RFC 8414 §3.2)',
    at: atMetadata,
    spoil: withHeader('content-type', 'text/plain'),
  },
  resourceWithFragment: {
    says: 'names a resource with a fragment (RFC 9728 §1.2)',
    at: atResourceMetadata,
    spoil: withJson((body) => ({ ...body, resource: `${body['resource']}#it` })),
  },
  serversUnlisted: {
    says: 'does not list its authorization servers',
    at: atResourceMetadata,
    spoil: withMembers({ authorization_servers: undefined }),
  },
  emptyLists: {
    says: 'publishes a list without elements (RFC 9728 §3.2, RFC 8414 §3.2)',
    at: atMetadata,
    spoil: withMembers({ ui_locales_supported: [] }),
  },
  scopesUnlisted: {
    says: 'does not list its scopes',
    at: atMetadata,
    spoil: withMembers({ scopes_supported: undefined }),
  },
  bearerMethodsUnlisted: {
    says: 'does not list how tokens are sent',
    at: atMetadata,
    spoil: withMembers({ bearer_methods_supported: undefined }),
  },
  bodyTokensListed: {
    says: 'lists another bearer method than header',
    at: atMetadata,
    spoil: withMembers({ bearer_methods_supported: ['header', 'body'] }),
  },
  unknownBearerMethod: {
    says: 'lists a bearer method that RFC 6750 does not know (RFC 9728 §2)',
    at: atMetadata,
    spoil: withMembers({ bearer_methods_supported: ['header', 'cookie'] }),
  },
  namelessResource: {
    says: 'gives its resource no name (RFC 9728 §2)',
    at: atResourceMetadata,
    spoil: withMembers({ resource_name: undefined }),
  },
  metadataUncacheable: {
    says: 'lets nobody keep its metadata',
    at: atMetadata,
    spoil: withHeader('cache-control', 'no-store'),
  },
  metadataOfOneOrigin: {
    says: 'lets no other origin read its metadata',
    at: atMetadata,
    spoil: withoutHeaders('access-control-allow-origin'),
  },
  serverMetadataElsewhere: {
    says: 'has the metadata of an issuer with a path at the origin (RFC 8414 §3.1)',
    at: atMetadata,
    spoil: issuer((name) => `${name}/tenant`),
  },
  issuerWithQuery: {
    says: 'has an issuer with a query (RFC 8414 §2)',
    at: atMetadata,
    spoil: issuer((name) => `${name}?tenant=1`),
  },
  issuerWithSlash: {
    says: 'writes its issuer with a final slash',
    at: atMetadata,
    spoil: issuer((name) => `${name}/`),
  },
  noTokenEndpoint: {
    says: 'does not name its token endpoint (RFC 8414 §2)',
    at: atServerMetadata,
    spoil: withMembers({ token_endpoint: undefined }),
  },
  noRevocationEndpoint: {
    says: 'does not name its revocation endpoint',
    at: atServerMetadata,
    spoil: withMembers({ revocation_endpoint: undefined }),
  },
  noJwksUri: {
    says: 'does not name its key set (RFC 8414 §2)',
    at: atServerMetadata,
    spoil: withMembers({ jwks_uri: undefined }),
  },
  grantsUnlisted: {
    says: 'does not list its grants (RFC 8414 §2)',
    at: atServerMetadata,
    spoil: withMembers({ grant_types_supported: undefined }),
  },
  claimGrantUnlisted: {
    says: 'does not list its claim grant',
    at: atServerMetadata,
    spoil: withMembers({ grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] }),
  },
  grantListedInVain: {
    says: 'lists a grant that it does not take (RFC 8414 §2)',
    at: atServerMetadata,
    spoil: withJson((body) => ({
      ...body,
      grant_types_supported: [
        ...(body['grant_types_supported'] as string[]),
        'urn:older:agent-auth:grant-type:claim',
      ],
    })),
  },
  responseTypesUnlisted: {
    says: 'does not list response types (RFC 8414 §2)',
    at: atServerMetadata,
    spoil: withMembers({ response_types_supported: undefined }),
  },
  codeResponseListed: {
    says: 'lists a response type although it has no authorization endpoint',
    at: atServerMetadata,
    spoil: withMembers({ response_types_supported: ['code'] }),
  },
  authMethodsUnsaid: {
    says: 'does not say that its clients are public (RFC 8414 §2)',
    at: atServerMetadata,
    spoil: withMembers({
      token_endpoint_auth_methods_supported: undefined,
      revocation_endpoint_auth_methods_supported: undefined,
    }),
  },
  secretsListed: {
    says: 'lists client secrets beside public clients',
    at: atServerMetadata,
    spoil: withMembers({ token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'] }),
  },
  idJagProfileUnlisted: {
    says: 'does not list the grant profile of ID-JAGs',
    at: atServerMetadata,
    spoil: withMembers({ authorization_grant_profiles_supported: undefined }),
  },
  otherResourcesListed: {
    says: 'lists other protected resources than those that name it (RFC 9728 §4)',
    at: atServerMetadata,
    spoil: withMembers({ protected_resources: ['https://other.example'] }),
  },
  ...PUBLISHED_FAULTS,
  ...FORWARDING_FAULTS,
} as const satisfies Readonly<Record<string, AnswerFault>>;
