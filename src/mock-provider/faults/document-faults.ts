import {
  type AnswerFault,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH } from '../../protocol/index.ts';
import { PATHS } from '../metadata.ts';

/** What the mock provider can be told to decide wrongly about its documents and keys. */
export const DOCUMENT_FAULTS = {
  keysUnavailable: 'answers 503 instead of its keys',
  newKeyUnpublished: 'signs with a new key that it does not publish (RFC 7517 §5)',
  oldKeysDropped: 'stops publishing the old key as soon as there is a new one',
  unavailable: 'answers 503 to everything but its controls',
} as const satisfies Readonly<Record<string, string>>;

type Json = Record<string, unknown>;

const isMetadata = (path: string) => path === AUTHORIZATION_SERVER_PATH;
const isKeySet = (path: string, response: Response) => path === PATHS.jwks && response.ok;
const isClient = (path: string) => path === PATHS.client;

const eachKey = (change: (key: Json) => Json) =>
  withJson((body) => ({ ...body, keys: (body['keys'] as readonly Json[]).map(change) }));

/** What it can be told to answer wrongly: its documents, and headers of everything. */
export const DOCUMENT_ANSWER_FAULTS = {
  providerMetadataAsText: {
    says: 'serves its metadata as plain text (RFC 8414 §3.2)',
    at: isMetadata,
    spoil: withHeader('content-type', 'text/plain'),
  },
  providerIssuerForeign: {
    says: 'names another issuer in its metadata (RFC 8414 §3.3)',
    at: isMetadata,
    spoil: withMembers({ issuer: 'https://other.example' }),
  },
  providerEndpointPlain: {
    says: 'names an address without TLS in its metadata (RFC 9728 §7.1)',
    at: isMetadata,
    spoil: withMembers({ token_endpoint: 'http://provider.example/oauth2/token' }),
  },
  idJagUnadvertised: {
    says: 'does not say in its metadata that it mints ID-JAGs (ID-JAG §7.1)',
    at: isMetadata,
    spoil: withMembers({ identity_chaining_requested_token_types_supported: undefined }),
  },
  providerGrantsUnlisted: {
    says: 'does not list its grants (RFC 8414 §2)',
    at: isMetadata,
    spoil: withMembers({ grant_types_supported: undefined }),
  },
  clientSecretDemanded: {
    says: 'lists no way for a client without a secret (RFC 8414 §2)',
    at: isMetadata,
    spoil: withMembers({ token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
  },
  keySetMoved: {
    says: 'names another address for its key set than the usual one',
    at: isMetadata,
    spoil: withJson((body) => ({ ...body, jwks_uri: `${String(body['jwks_uri'])}?set=1` })),
  },
  forwardedHostBelieved: {
    says: 'makes up its addresses from X-Forwarded-Host',
    at: isMetadata,
    spoil: withJson((body, request) => {
      const host = request.headers.get('x-forwarded-host');
      return host === null ? body : { ...body, issuer: `https://${host}` };
    }),
  },
  keySetAsText: {
    says: 'serves its key set as plain text (RFC 7517 §8.5)',
    at: isKeySet,
    spoil: withHeader('content-type', 'text/plain'),
  },
  privateKeysPublished: {
    says: 'publishes the private part of its keys (RFC 7517 §5)',
    at: isKeySet,
    spoil: eachKey((key) => ({ ...key, d: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })),
  },
  kidsMissing: {
    says: 'publishes keys without a kid (RFC 7517 §4.5)',
    at: isKeySet,
    spoil: eachKey(({ kid: _, ...key }) => key),
  },
  kidsCounted: {
    says: 'counts its keys instead of naming them by their thumbprints (RFC 7638 §3)',
    at: isKeySet,
    spoil: eachKey((key) => ({ ...key, kid: `key-${String(key['x']).slice(0, 4)}` })),
  },
  clientDocumentMissing: {
    says: 'publishes no client ID metadata document',
    at: isClient,
    spoil: withStatus(404),
  },
  clientIdForeign: {
    says: 'publishes a client document of another address (CIMD §4)',
    at: isClient,
    spoil: withMembers({ client_id: 'https://other.example/agent-auth.json' }),
  },
  clientSecretPublished: {
    says: 'publishes a secret in its client document (CIMD §4.1)',
    at: isClient,
    spoil: withMembers({ client_secret: 'not-so-secret' }),
  },
  clientGrantsHalved: {
    says: 'lists one grant of the pair that the profile stands for (ID-JAG §8)',
    at: isClient,
    spoil: withJson((body) => ({
      ...body,
      grant_types: (body['grant_types'] as readonly string[]).slice(0, 1),
    })),
  },
  providerAnswersCacheable: {
    says: 'lets answers with tokens and codes be cached (RFC 6749 §5.1)',
    at: (path) => path === PATHS.token || path === PATHS.deviceAuthorization,
    spoil: withoutHeaders('cache-control', 'pragma'),
  },
  headersSplit: {
    says: 'lets a parameter add a header to its answer (RFC 9110 §5.5)',
    at: (_path, _response, request) => /%0a/i.test(new URL(request.url).search),
    spoil: (response, request) => {
      const lines = decodeURIComponent(new URL(request.url).search).split(/\r?\n/).slice(1);
      for (const line of lines) {
        const [name = '', value = ''] = line.split(/:\s*/);
        if (/^[\w-]+$/.test(name)) response.headers.set(name, value.replace(/[^\x20-\x7e]/g, ''));
      }
      return response;
    },
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
