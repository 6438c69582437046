import { isSecretName } from '../../../exchanges/secret-names.ts';
import { isJsonObject } from '../../../protocol/json.ts';
import { decodeJwt } from '../../../protocol/jwt.ts';
import { isJsonMediaType, mediaTypeOf } from '../../../protocol/media-type.ts';
import { fingerprint, showText } from './show-members.ts';

/** One half of an exchange as it went over the wire. */
export interface RawMessage {
  readonly headers: Headers;
  /** `undefined`: there was none. */
  readonly body: string | undefined;
}

/** The same, secrets reduced to fingerprints. */
export interface WireMessage {
  readonly headers: Readonly<Record<string, string>>;
  /**
   * JSON with its own structure, a form as an object of its parameters; `null` for none, for a page and
   * for any other text. A JWT is `{ jwt, header, claims }`: all but the signature, which makes it valid.
   */
  readonly body: unknown;
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie']);

export function showWire({ headers, body }: RawMessage): WireMessage {
  const type = mediaTypeOf({ headers });
  return {
    headers: Object.fromEntries([...headers].map(([name, value]) => [name, header(name, value)])),
    body: body === undefined || body === '' ? null : readBody(type, body),
  };
}

/** A scheme or a cookie's name stays, what it carries does not. */
function header(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name)) return showText(value);
  return value.replace(/([ =])([\w.~+/%-]{16,})/g, (_all, before: string, secret: string) => {
    return before + fingerprint(secret);
  });
}

function readBody(type: string, body: string): unknown {
  if (type === 'application/x-www-form-urlencoded') {
    return show(Object.fromEntries(new URLSearchParams(body)));
  }
  if (isJsonMediaType(type)) {
    try {
      return show(JSON.parse(body));
    } catch {
      return null;
    }
  }
  // A security event is its own body (RFC 8935).
  return type.endsWith('jwt') ? showSecret(body) : null;
}

function show(value: unknown, name = '', isSecret = false): unknown {
  const secret = isSecret || isSecretName(name);
  if (Array.isArray(value)) return value.map((each) => show(each, name, secret));
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, show(each, key, secret)]),
    );
  }
  if (typeof value === 'string') return secret ? showSecret(value) : showText(value);
  return secret && value !== null ? fingerprint(String(value)) : value;
}

function showSecret(secret: string): unknown {
  const decoded = decodeJwt(secret);
  if (decoded === undefined) return fingerprint(secret);
  const { header: head, payload } = decoded;
  return { jwt: fingerprint(secret), header: show(head), claims: show(payload) };
}
