import { type Client, readClient } from '../../mock/clients/client.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import type { Jwk } from '../../protocol/jwk.ts';

/** What the metadata document of a client says: the client, and where its keys are should they be elsewhere. */
export interface DescribedClient {
  readonly client: Client;
  readonly jwksUri?: string;
}

/**
 * Reads a client ID metadata document (draft-ietf-oauth-client-id-metadata-document §4.1): it names its own URL, and
 * has no shared secret. A text says what is wrong with it.
 */
export function readClientDocument(url: string, document: JsonObject): DescribedClient | string {
  const { client_id: id, jwks, jwks_uri: jwksUri } = document;
  if (id !== url)
    return 'The client_id in its document is not the URL of that, character for character.';
  if ('client_secret' in document || 'client_secret_expires_at' in document) {
    return 'Its document has a client_secret, which a document cannot keep.';
  }
  const { token_endpoint_auth_method: method } = document;
  if (method === 'none') {
    return { client: { id: url, methods: ['none'], public: true, byDocument: true } };
  }
  if (method !== 'private_key_jwt') {
    // RFC 7591 §2: left out, it would be client_secret_basic.
    return 'The token_endpoint_auth_method in its document is neither none nor private_key_jwt.';
  }
  if ((jwks === undefined) === (jwksUri === undefined)) {
    return 'Its document needs either jwks or jwks_uri (RFC 7591 §2).';
  }
  if (jwks !== undefined) return keyedClient(url, jwks);
  if (typeof jwksUri !== 'string') return 'The jwks_uri in its document is not a string.';
  return { client: { id: url, methods: [], public: false, byDocument: true }, jwksUri };
}

/** A client with these keys, or what is wrong with them. */
export function keyedClient(url: string, jwks: unknown): DescribedClient | string {
  const keys = isJsonObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys) || !keys.every(isJsonObject)) return 'Its jwks is no key set.';
  const client = readClient({ id: url, keys: { keys: keys as readonly Jwk[] } });
  return typeof client === 'string'
    ? 'Its jwks is not a set of public keys (RFC 7517 §5).'
    : { client: { ...client, byDocument: true } };
}
