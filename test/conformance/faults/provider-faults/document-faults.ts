import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { isMetadata, newestOf } from '../../../../src/mock-provider/faults/document-faults.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { decodeJwt } from '../../../../src/protocol/jwt.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { on, replacing, withHeader, withJson, withMembers, withStatus, withoutHeaders } = rewire;

type Json = Record<string, unknown>;

const isKeySet = (path: string, response: Response) => path === PATHS.jwks && response.ok;

const isClient = (path: string) => path === PATHS.client;

const eachKey = (change: (key: Json) => Json) =>
  withJson((body) => ({ ...body, keys: (body['keys'] as readonly Json[]).map(change) }));

/** Faults: what it does wrong with its keys. */
export const KEY_FAULTS = {
  missingOldKeyOfTokens: {
    description:
      'forgets its old key when it has a new one, and its ID tokens with it (RFC 7517 §5)',
    parts: ({ keys }) => ({
      keys: replacing(keys, {
        jwks: () => newestOf(keys.jwks()),
        verifyOwn: async (token) => {
          const kid = decodeJwt(token)?.header['kid'];
          const isKept = newestOf(keys.jwks()).keys.some((key) => key.kid === kid);
          return isKept ? keys.verifyOwn(token) : undefined;
        },
      }),
    }),
    fails: {
      'key-rotation': ['old-key-kept', 'still-minted'],
      'idp-key-rotation': ['old-id-token'],
    },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;

/** Faults: what it answers wrongly: its documents, and headers of everything. */
export const DOCUMENT_ANSWER_FAULTS = {
  wrongMetadataMediaType: {
    description: 'serves its metadata as plain text (RFC 8414 §3.2)',
    answers: on(isMetadata, withHeader('content-type', 'text/plain')),
    fails: { 'provider-discovery': ['metadata'] },
  },
  wrongTokenEndpointScheme: {
    description: 'names a token endpoint without TLS in its metadata (RFC 9728 §7.1)',
    answers: on(
      isMetadata,
      withMembers({ token_endpoint: 'http://provider.example/oauth2/token' }),
    ),
    fails: { 'provider-discovery': ['endpoints-secure'] },
  },
  missingRequestedTokenTypes: {
    description: 'does not say in its metadata that it issues ID-JAGs (ID-JAG §7.1)',
    answers: on(
      isMetadata,
      withMembers({ identity_chaining_requested_token_types_supported: undefined }),
    ),
    fails: { 'provider-discovery': ['id-jag-advertised'] },
  },
  missingGrantTypes: {
    description: 'does not list its grant types (RFC 8414 §2)',
    answers: on(isMetadata, withMembers({ grant_types_supported: undefined })),
    fails: { 'provider-discovery': ['grants-listed'] },
  },
  missingPublicClientMethod: {
    description: 'lists no authentication method for public clients (RFC 8414 §2)',
    answers: on(
      isMetadata,
      withMembers({ token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
    ),
    fails: { 'provider-discovery': ['public-client'] },
  },
  wrongJwksUri: {
    description: 'names an unusual URL for its key set',
    answers: on(
      isMetadata,
      withJson((body) => ({ ...body, jwks_uri: `${String(body['jwks_uri'])}?set=1` })),
    ),
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
    fails: { 'provider-discovery': ['forwarded'] },
  },
  wrongKeySetMediaType: {
    description: 'serves its key set as plain text (RFC 7517 §8.5)',
    answers: on(isKeySet, withHeader('content-type', 'text/plain')),
    fails: { 'provider-discovery': ['key-set-headers'] },
  },
  exposedPrivateKey: {
    description: 'publishes the private part of its keys (RFC 7517 §5)',
    answers: on(
      isKeySet,
      eachKey((key) => ({ ...key, d: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })),
    ),
    fails: { 'provider-discovery': ['keys-public'] },
  },
  missingKid: {
    description: 'publishes keys without a kid (RFC 7517 §4.5)',
    answers: on(
      isKeySet,
      eachKey(({ kid: _, ...key }) => key),
    ),
    fails: { 'provider-discovery': ['kids'] },
  },
  wrongKid: {
    description: 'numbers its keys instead of naming them by their thumbprints (RFC 7638 §3)',
    answers: on(
      isKeySet,
      eachKey((key) => ({ ...key, kid: `key-${String(key['x']).slice(0, 4)}` })),
    ),
    fails: { 'provider-discovery': ['thumbprints'] },
  },
  missingClientDocument: {
    description: 'publishes no client ID metadata document',
    answers: on(isClient, withStatus(404)),
    fails: { 'client-document': ['found'] },
  },
  wrongClientDocumentId: {
    description: 'publishes a client document with the client_id of another URL (CIMD §4)',
    answers: on(isClient, withMembers({ client_id: 'https://other.example/agent-auth.json' })),
    fails: { 'client-document': ['client-id'] },
  },
  exposedClientSecret: {
    description: 'publishes a client secret in its client document (CIMD §4.1)',
    answers: on(isClient, withMembers({ client_secret: 'not-so-secret' })),
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
    fails: { 'client-document': ['grant-pair'] },
  },
  wrongTokenCacheControl: {
    description: 'lets answers with tokens and codes be cached (RFC 6749 §5.1)',
    answers: on(
      (path) => path === PATHS.token || path === PATHS.deviceAuthorization,
      withoutHeaders('cache-control', 'pragma'),
    ),
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
    fails: { 'token-requests': ['header-split'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
