import type { HeaderList } from '../../http/http-client.ts';
import { forgeJwt, type TestKey } from '../../jwt/forge.ts';

/** RFC 7523 §2.2. */
const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A client that the judged server knows. */
export interface TestClient {
  readonly id: string;
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  readonly secret?: string;
  /** Signs its assertions, where it authenticates by them. */
  readonly key?: TestKey;
}

/** What of a token request shows its client. */
export interface ShownClient {
  readonly headers: HeaderList;
  readonly form: Readonly<Record<string, string>>;
}

/**
 * How a client with a secret shows it: as the server lists, and by RFC 8414 §2 in the header where it lists nothing.
 * Without a secret it is public.
 */
export function secretMethod(
  secret: string | undefined,
  { token_endpoint_auth_methods_supported: listed }: Readonly<Record<string, unknown>>,
): TestClient['method'] {
  if (secret === undefined) return 'none';
  const isPostAlone =
    Array.isArray(listed) &&
    listed.includes('client_secret_post') &&
    !listed.includes('client_secret_basic');
  return isPostAlone ? 'client_secret_post' : 'client_secret_basic';
}

/** @param now Milliseconds. `jti` has to be a new one each time. */
export function showClient(
  client: TestClient,
  { audience, now, jti }: { readonly audience: string; readonly now: number; readonly jti: string },
  claims: Readonly<Record<string, unknown>> = {},
): ShownClient {
  const { id, key, method, secret = '' } = client;
  switch (method) {
    case 'client_secret_basic':
      return { headers: [['authorization', basic(id, secret)]], form: {} };
    case 'client_secret_post':
      return { headers: [], form: { client_id: id, client_secret: secret } };
    case 'none':
      return { headers: [], form: { client_id: id } };
    case 'private_key_jwt': {
      if (key === undefined) throw new TypeError('A client without a key signs nothing.');
      const seconds = Math.floor(now / 1000);
      const right = { iss: id, sub: id, aud: audience, jti, iat: seconds, exp: seconds + 60 };
      const header = { alg: key.algorithm, typ: 'JWT', kid: key.kid };
      const client_assertion = forgeJwt(header, { ...right, ...claims }, key);
      const form = { client_assertion_type: CLIENT_ASSERTION_TYPE, client_assertion };
      return { headers: [], form: { client_id: id, ...form } };
    }
  }
}

/** The credentials of HTTP Basic, both form-encoded (RFC 6749 §2.3.1). */
export function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((each) => new URLSearchParams({ _: each }).toString().slice(2));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
