import { CLIENT_ID, isClientId, isDocumentUrl } from '../../protocol/client-id.ts';
import type { Jwk } from '../../protocol/jwk.ts';
import { wrongOption } from '../config/wrong-option.ts';

/** How a client authenticates at a token endpoint (RFC 7591 §2, OpenID Connect Core §9). */
export const CLIENT_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;
/** The name of a way to authenticate. */
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** A client that a mock knows. */
export interface ClientOptions {
  /** Its `client_id`: printable ASCII (RFC 6749 appendix A.1). */
  readonly id: string;
  /** A test value: it stands in configurations and on command lines. */
  readonly secret?: string;
  /** Whether it has no credentials, and needs none. Default: false. */
  readonly public?: boolean;
  /** Its public keys, for `private_key_jwt`. */
  readonly keys?: { readonly keys: readonly Jwk[] };
  /** The ways that it may authenticate. Default: those that it has the means for. */
  readonly methods?: readonly ClientAuthMethod[];
}

/** A client with every default filled in. */
export type Client = ClientOptions &
  Required<Pick<ClientOptions, 'methods' | 'public'>> & {
    /** Its id is the URL of its metadata document, which says how it authenticates. */
    readonly byDocument?: true;
  };

const PRINTABLE = /^[\x20-\x7e]+$/;

/** The members of a public key, by its type (RFC 7518 §6, RFC 8037 §2). */
const KEY_MEMBERS: Readonly<Record<string, readonly (keyof Jwk)[]>> = {
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  RSA: ['n', 'e'],
};

function isPublicKey(jwk: Jwk): boolean {
  const members = KEY_MEMBERS[jwk.kty ?? ''];
  const isPrivate = 'd' in jwk || 'k' in jwk;
  return !isPrivate && (members?.every((name) => typeof jwk[name] === 'string') ?? false);
}

/** Where a client may be known by its metadata document. */
export interface DocumentRules {
  readonly documents?: boolean;
}

/** A client; a text that says what is wrong with it when it is none. */
export function readClient(
  given: ClientOptions,
  { documents = false }: DocumentRules = {},
): Client | string {
  const { id, keys, public: isPublic = false, secret } = given;
  if (typeof id !== 'string' || !isClientId(id)) return `an id is ${CLIENT_ID}`;
  if (secret !== undefined && (typeof secret !== 'string' || !PRINTABLE.test(secret))) {
    return `the secret of ${id} is printable ASCII`;
  }
  if (keys !== undefined && (keys.keys.length === 0 || !keys.keys.every(isPublicKey))) {
    return `the keys of ${id} are a set of public keys (RFC 7517 §5)`;
  }
  const possible: readonly ClientAuthMethod[] = [
    ...(secret === undefined ? [] : (['client_secret_basic', 'client_secret_post'] as const)),
    ...(keys === undefined ? [] : (['private_key_jwt'] as const)),
    ...(isPublic ? (['none'] as const) : []),
  ];
  if (possible.length === 0 && documents && isDocumentUrl(id)) {
    return { ...given, methods: ['private_key_jwt', 'none'], public: false, byDocument: true };
  }
  if (possible.length === 0) return `${id} has neither a secret nor keys, and is not public`;
  const { methods = possible } = given;
  const unusable = methods.find((method) => !possible.includes(method));
  if (unusable !== undefined) return `${id} has nothing to authenticate by ${unusable} with`;
  return { ...given, methods, public: isPublic };
}

/** @throws TypeError that says what is wrong with it. */
export function resolveClient(given: ClientOptions, rules: DocumentRules = {}): Client {
  const client = readClient(given, rules);
  if (typeof client === 'string') throw new TypeError(`clients: ${client}.`);
  return client;
}

/** @throws TypeError that says which client is wrong. */
export function resolveClients(
  given: readonly ClientOptions[] = [],
  rules: DocumentRules = {},
): readonly Client[] {
  const ids = new Set<string>();
  return given.map((each) => {
    const client = resolveClient(each, rules);
    if (ids.has(client.id)) throw wrongOption('clients', client.id, 'Name each client once.');
    ids.add(client.id);
    return client;
  });
}

/**
 * Reads `ID:SECRET`, as it is typed on a command line. An id that is a URL has colons itself, so that the secret
 * comes after the last one.
 */
export function readClientLine(text: string): ClientOptions | undefined {
  const colon = text.lastIndexOf(':');
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)];
  return colon < 1 || secret === '' ? undefined : { id, secret };
}
