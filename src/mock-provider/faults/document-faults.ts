import {
  atHandler,
  on,
  replacing,
  transportProblem,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withoutService,
  withStatus,
} from '../../mock/index.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  type JwkSet,
  OPENID_CONFIGURATION_PATH,
} from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import type { BuiltInProviderFault } from './provider-fault.ts';

const keySetUnavailable = (): never => {
  throw transportProblem('unavailable');
};

/** Faults: what it does wrong with its documents and keys. */
export const DOCUMENT_FAULTS = {
  wrongKeySetStatus: {
    description: 'answers 503 instead of its keys',
    parts: (mock) => atHandler(mock, { path: PATHS.jwks }, () => keySetUnavailable),
    breaks: ['AR-DOES-1.provider', 'AR-EP-11'],
    fails: { 'provider-discovery': ['key-set'] },
  },
  missingNewKey: {
    description: 'signs with a new key that it does not publish (RFC 7517 §5)',
    // Read once, and served ever after.
    parts: ({ keys }) => {
      const first = keys.jwks();
      return { keys: replacing(keys, { jwks: () => first }) };
    },
    breaks: ['JWK-03', 'AR-OBJ-1.provider'],
    fails: { 'key-rotation': ['published-before-use', 'verifiable'] },
  },
  missingOldKey: {
    description: 'stops publishing the old key as soon as there is a new one',
    parts: ({ keys }) => ({ keys: replacing(keys, { jwks: () => newestOf(keys.jwks()) }) }),
    breaks: ['JWK-03'],
    fails: { 'key-rotation': ['old-key-kept'] },
  },
  unavailable: {
    description: 'answers 503 to everything but its controls',
    parts: withoutService,
    breaks: ['W9-01'],
    // No check judges it: the suite refuses a target that does not answer.
    fails: {},
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;

/** Of each algorithm the last key alone. */
function newestOf({ keys }: JwkSet): JwkSet {
  return {
    keys: keys.filter(({ alg }, at) => !keys.slice(at + 1).some((later) => later.alg === alg)),
  };
}

type Json = Record<string, unknown>;

const isMetadata = (path: string) =>
  path === AUTHORIZATION_SERVER_PATH || path === OPENID_CONFIGURATION_PATH;
const isKeySet = (path: string, response: Response) => path === PATHS.jwks && response.ok;
const isClient = (path: string) => path === PATHS.client;

const eachKey = (change: (key: Json) => Json) =>
  withJson((body) => ({ ...body, keys: (body['keys'] as readonly Json[]).map(change) }));

/** Faults: what it answers wrongly: its documents, and headers of everything. */
export const DOCUMENT_ANSWER_FAULTS = {
  wrongMetadataMediaType: {
    description: 'serves its metadata as plain text (RFC 8414 §3.2)',
    answers: on(isMetadata, withHeader('content-type', 'text/plain')),
    breaks: ['W9-01'],
    fails: { 'provider-discovery': ['metadata'] },
  },
  wrongIssuer: {
    description: 'names another issuer in its metadata (RFC 8414 §3.3)',
    answers: on(isMetadata, withMembers({ issuer: 'https://other.example' })),
    breaks: ['IDJ-03', 'W9-01'],
    fails: { 'provider-discovery': ['issuer'] },
  },
  wrongTokenEndpointScheme: {
    description: 'names a token endpoint without TLS in its metadata (RFC 9728 §7.1)',
    answers: on(
      isMetadata,
      withMembers({ token_endpoint: 'http://provider.example/oauth2/token' }),
    ),
    breaks: ['PRM-12.provider'],
    fails: { 'provider-discovery': ['endpoints-secure'] },
  },
  missingRequestedTokenTypes: {
    description: 'does not say in its metadata that it issues ID-JAGs (ID-JAG §7.1)',
    answers: on(
      isMetadata,
      withMembers({ identity_chaining_requested_token_types_supported: undefined }),
    ),
    breaks: ['ASM-13'],
    fails: { 'provider-discovery': ['id-jag-advertised'] },
  },
  missingGrantTypes: {
    description: 'does not list its grant types (RFC 8414 §2)',
    answers: on(isMetadata, withMembers({ grant_types_supported: undefined })),
    breaks: ['W9-01'],
    fails: { 'provider-discovery': ['grants-listed'] },
  },
  missingPublicClientMethod: {
    description: 'lists no authentication method for public clients (RFC 8414 §2)',
    answers: on(
      isMetadata,
      withMembers({ token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
    ),
    breaks: ['W9-04'],
    fails: { 'provider-discovery': ['public-client'] },
  },
  wrongJwksUri: {
    description: 'names an unusual URL for its key set',
    answers: on(
      isMetadata,
      withJson((body) => ({ ...body, jwks_uri: `${String(body['jwks_uri'])}?set=1` })),
    ),
    breaks: ['W9-01'],
    fails: { 'provider-discovery': ['key-set-address'] },
  },
  trustedForwardedHost: {
    description: 'builds URLs from X-Forwarded-Host',
    answers: on(
      isMetadata,
      withJson((body, request) => {
        const host = request.headers.get('x-forwarded-host');
        return host === null ? body : { ...body, issuer: `https://${host}` };
      }),
    ),
    breaks: ['A-41.provider'],
    fails: { 'provider-discovery': ['forwarded'] },
  },
  wrongKeySetMediaType: {
    description: 'serves its key set as plain text (RFC 7517 §8.5)',
    answers: on(isKeySet, withHeader('content-type', 'text/plain')),
    breaks: ['JWK-03'],
    fails: { 'provider-discovery': ['key-set-headers'] },
  },
  exposedPrivateKey: {
    description: 'publishes the private part of its keys (RFC 7517 §5)',
    answers: on(
      isKeySet,
      eachKey((key) => ({ ...key, d: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })),
    ),
    breaks: ['JWK-01.provider'],
    fails: { 'provider-discovery': ['keys-public'] },
  },
  missingKid: {
    description: 'publishes keys without a kid (RFC 7517 §4.5)',
    answers: on(
      isKeySet,
      eachKey(({ kid: _, ...key }) => key),
    ),
    breaks: ['JWK-06.provider'],
    fails: { 'provider-discovery': ['kids'] },
  },
  wrongKid: {
    description: 'numbers its keys instead of naming them by their thumbprints (RFC 7638 §3)',
    answers: on(
      isKeySet,
      eachKey((key) => ({ ...key, kid: `key-${String(key['x']).slice(0, 4)}` })),
    ),
    breaks: ['JWK-02.provider'],
    fails: { 'provider-discovery': ['thumbprints'] },
  },
  missingClientDocument: {
    description: 'publishes no client ID metadata document',
    answers: on(isClient, withStatus(404)),
    breaks: ['W9-03'],
    fails: { 'client-document': ['found'] },
  },
  wrongClientDocumentId: {
    description: 'publishes a client document with the client_id of another URL (CIMD §4)',
    answers: on(isClient, withMembers({ client_id: 'https://other.example/agent-auth.json' })),
    breaks: ['CIM-01'],
    fails: { 'client-document': ['client-id'] },
  },
  exposedClientSecret: {
    description: 'publishes a client secret in its client document (CIMD §4.1)',
    answers: on(isClient, withMembers({ client_secret: 'not-so-secret' })),
    breaks: ['CIM-02'],
    fails: { 'client-document': ['no-secrets'] },
  },
  missingClientGrantType: {
    description: 'lists one of the two grant types that the profile needs (ID-JAG §8)',
    answers: on(
      isClient,
      withJson((body) => ({
        ...body,
        grant_types: (body['grant_types'] as readonly string[]).slice(0, 1),
      })),
    ),
    breaks: ['ASM-16.provider'],
    fails: { 'client-document': ['grant-pair'] },
  },
  wrongTokenCacheControl: {
    description: 'lets answers with tokens and codes be cached (RFC 6749 §5.1)',
    answers: on(
      (path) => path === PATHS.token || path === PATHS.deviceAuthorization,
      withoutHeaders('cache-control', 'pragma'),
    ),
    breaks: ['IDJ-12', 'TOK-04.provider'],
    fails: { 'device-sign-in': ['uncached'], mint: ['uncached'] },
  },
  unescapedParameterInHeader: {
    description: 'copies a parameter into a header with its line breaks (RFC 9110 §5.5)',
    answers: on(
      (_path, _response, request) => /%0a/i.test(new URL(request.url).search),
      (response, request) => {
        const lines = decodeURIComponent(new URL(request.url).search).split(/\r?\n/).slice(1);
        for (const line of lines) {
          const [name = '', value = ''] = line.split(/:\s*/);
          if (/^[\w-]+$/.test(name)) response.headers.set(name, value.replace(/[^\x20-\x7e]/g, ''));
        }
        return response;
      },
    ),
    breaks: ['A-28.provider'],
    fails: { 'token-requests': ['header-split'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;
