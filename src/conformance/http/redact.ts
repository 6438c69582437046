import { createHash } from 'node:crypto';

/** Members, parameters and fields whose values are secrets, wherever they stand. */
const SECRET_NAMES = [
  'access_token',
  'assertion',
  'identity_assertion',
  'claim_token',
  'claim_attempt_token',
  'subject_token',
  'actor_token',
  'id_token',
  'refresh_token',
  'device_code',
  'user_code',
  'client_secret',
  'client_assertion',
  'csrf_token',
  'password',
  'token',
];

const NAMES = SECRET_NAMES.join('|');
const JSON_MEMBER = new RegExp(`("(?:${NAMES})"\\s*:\\s*)"((?:[^"\\\\]|\\\\.)*)"`, 'g');
const PARAMETER = new RegExp(`((?:^|[?&;\\s]|%3F|%26)(?:${NAMES})(?:=|%3D))([^&\\s"'<>%]+)`, 'gi');
const FIELD = new RegExp(`(<input\\b[^>]*\\bname="(?:${NAMES})"[^>]*\\bvalue=")([^"]*)(?=")`, 'gi');
/** Three or five base64url parts. */
const JWT = /\beyJ[\w-]{5,}\.[\w-]*(?:\.[\w-]*){1,3}/g;
/** Long random words with a prefix: `at_…`, `clm_…`. */
const PREFIXED = /\b(?:at|clm|cat|atk|tok|sk|sess)_[\w-]{20,}/g;

const SECRET_HEADERS = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);

/** The same secret has the same mark everywhere in a report, so that it can be followed. */
export function mark(secret: string): string {
  return `‹${createHash('sha256').update(secret).digest('hex').slice(0, 8)}›`;
}

/** A body or a sentence without its secrets. */
export function redactText(text: string): string {
  return text
    .replace(JSON_MEMBER, (_all, name: string, value: string) => `${name}"${mark(value)}"`)
    .replace(FIELD, (_all, before: string, value: string) => before + mark(value))
    .replace(PARAMETER, (_all, name: string, value: string) => name + mark(decode(value)))
    .replace(JWT, (token) => mark(token))
    .replace(PREFIXED, (token) => mark(token));
}

export function redactUrl(url: string): string {
  return redactText(url);
}

export function redactHeaders(
  headers: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return headers.map(([name, value]) => [
    name,
    SECRET_HEADERS.has(name.toLowerCase()) ? redactHeader(name, value) : redactText(value),
  ]);
}

function redactHeader(name: string, value: string): string {
  if (/cookie$/i.test(name)) {
    return value.replace(
      /(^|;\s*)([^=;\s]+)=([^;]*)/g,
      (all, before, key: string, inner: string) =>
        /^(path|domain|expires|max-age|samesite|secure|httponly|priority)$/i.test(key)
          ? all
          : `${before}${key}=${mark(inner)}`,
    );
  }
  const [scheme = '', rest] = value.split(/ (.*)/s);
  return rest === undefined ? mark(value) : `${scheme} ${mark(rest)}`;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
