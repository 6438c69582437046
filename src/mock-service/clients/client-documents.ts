import { type Client, readClient } from '../../mock/clients/client.ts';
import { describeRefusedIp, guardedBy } from '../../mock/http/refused-ip.ts';
import { CLIENT_DOCUMENT_LIMIT } from '../../protocol/client-id.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { describeHost, hostReach } from '../../protocol/host-reach.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import type { Jwk } from '../../protocol/jwk.ts';
import { urlProblem, withoutQuery } from '../../protocol/urls.ts';
import type { Clock, ConnectGuard, Fetch } from '../../runtime/ports.ts';
import { documentFetcher } from '../trust/fetch-document.ts';
import { holdsKey, KEY_SET_PAUSES } from '../trust/key-source.ts';

/** How long a document counts without being read again, with the keys that it leads to. */
const FRESH = MINUTE;
/** How many documents are kept: any stranger can name one more. */
const MOST_KEPT = 100;
/** Loopback as hosts and IP addresses spell it; the rest of 127.0.0.0/8 is somebody else's. */
const OWN_LOOPBACK = /^(?:127\.0\.0\.1|\[?::1\]?|(?:.+\.)?localhost\.?)$/;

interface DocumentOptions {
  /** The service's own: loopback is for one that is there itself. */
  readonly issuer: string;
  readonly clock: Clock;
  /** Asks the guard about each IP address before it connects. */
  readonly fetch: (guard: ConnectGuard) => Fetch;
}

interface Kept {
  readonly reading: Promise<Client | string>;
  readonly at: number;
}

/** Clients that are known by the metadata documents at their URLs (draft-ietf-oauth-client-id-metadata-document-02). */
export class ClientDocuments {
  readonly #clock: Clock;
  readonly #isLocal: boolean;
  readonly #fetch: Fetch;
  readonly #kept = new Map<string, Kept>();

  constructor({ clock, fetch, issuer }: DocumentOptions) {
    this.#clock = clock;
    this.#isLocal = hostReach(new URL(issuer).hostname) === 'machine';
    this.#fetch = fetch(guardedBy((ip) => this.#mayAsk(ip)));
  }

  /**
   * The client that the document at a URL describes; a text that says why there is none.
   * @param kid the key that it signed with: one that is not there yet has the document read again, seldom.
   */
  async find(url: string, kid?: string): Promise<Client | string> {
    const now = this.#clock.now();
    const kept = this.#kept.get(url);
    const age = kept === undefined ? Number.POSITIVE_INFINITY : now - kept.at;
    if (kept !== undefined && age >= 0 && age < FRESH) {
      const client = await kept.reading;
      const isWanted = kid === undefined || typeof client === 'string';
      if (isWanted || age < KEY_SET_PAUSES.unknownKey || holdsKey(client.keys, kid)) return client;
    }
    const reading = this.#read(url);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST_KEPT) this.#kept.delete(oldest);
    this.#kept.delete(url);
    this.#kept.set(url, { reading, at: now });
    const client = await reading;
    // A document that is missing or wrong is not kept (§5.2): it may be right the next time.
    if (typeof client === 'string' && this.#kept.get(url)?.reading === reading) {
      this.#kept.delete(url);
    }
    return client;
  }

  async #read(url: string): Promise<Client | string> {
    const document = await this.#get(url, CLIENT_DOCUMENT_LIMIT);
    if (typeof document === 'string') return document;
    const described = readClientDocument(url, document);
    if (typeof described === 'string' || described.jwksUri === undefined)
      return clientOf(described);
    const keySet = await this.#get(described.jwksUri);
    return typeof keySet === 'string' ? keySet : clientOf(keyedClient(url, keySet));
  }

  /** The JSON object there; a text that says why there is none. */
  async #get(url: string, maxBytes?: number): Promise<JsonObject | string> {
    const shown = withoutQuery(url);
    if (urlProblem(url) !== undefined)
      return 'Its URL is not an https URL without user and fragment.';
    const { hostname } = new URL(url);
    if (!this.#mayAsk(hostname)) return `${shown} is not fetched from ${describeHost(hostname)}.`;
    let refused: string | undefined;
    const noting: Fetch = (...request) =>
      this.#fetch(...request).catch((error: unknown) => {
        refused = describeRefusedIp(error, url);
        throw error;
      });
    const fetched = await documentFetcher(noting, maxBytes)(url);
    if (fetched.ok) return fetched.document;
    if (refused !== undefined) return `${shown} is not fetched: ${refused}.`;
    if (fetched.location !== undefined) return `${shown} redirects, which is not followed.`;
    if (fetched.problem === 'unavailable') return `${shown} did not answer.`;
    const size = maxBytes === undefined ? '' : ` of at most ${maxBytes} bytes`;
    return `${shown} did not answer 200 with a JSON object${size}.`;
  }

  /**
   * No special-use address but one's own loopback (§8.6, RFC 6890). Of a name this is what its spelling tells; where it
   * leads is the guard's matter.
   */
  #mayAsk(host: string): boolean {
    return hostReach(host) === 'world' || (this.#isLocal && OWN_LOOPBACK.test(host));
  }
}

function clientOf(described: ReturnType<typeof readClientDocument>): Client | string {
  return typeof described === 'string' ? described : described.client;
}

/** What the metadata document of a client says: the client, and where its keys are should they be elsewhere. */
interface DescribedClient {
  readonly client: Client;
  readonly jwksUri?: string;
}

/**
 * Reads a client ID metadata document (draft-ietf-oauth-client-id-metadata-document-02 §4.1): it names its own URL, and
 * has no shared secret. A text says what is wrong with it.
 */
function readClientDocument(url: string, document: JsonObject): DescribedClient | string {
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
function keyedClient(url: string, jwks: unknown): DescribedClient | string {
  const keys = isJsonObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys) || !keys.every(isJsonObject)) return 'Its jwks is no key set.';
  const client = readClient({ id: url, keys: { keys: keys as readonly Jwk[] } });
  return typeof client === 'string'
    ? 'Its jwks is not a set of public keys (RFC 7517 §5).'
    : { client: { ...client, byDocument: true } };
}
