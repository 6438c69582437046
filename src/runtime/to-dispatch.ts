import type { Dispatch } from './dispatcher.ts';
import type { FetchInit } from './ports.ts';

/** Those for which `fetch` does nothing of its own. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Headers that `fetch` sets, leaves out or acts upon. */
const ACTED_UPON: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'origin',
  'range',
  'referer',
  'sec-fetch-mode',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces inside: what needs no rule of `fetch` to be sent. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Ports above 1023 that `fetch` does not connect to (Fetch §2.9). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
]);

type Untyped = { readonly [Member in keyof FetchInit]: unknown };

/**
 * The request that the `fetch` of Node would send for these, byte by byte; `undefined` in any doubt: what is
 * unusual, or an error, is for `fetch` itself.
 * @param userAgent what stands for `fetch` there.
 */
export function toDispatch(
  url: URL,
  init: FetchInit,
  userAgent: 'node' | 'undici',
): Dispatch | undefined {
  if (!isOfItsType(init)) return undefined;
  const { method = 'GET', body } = init;
  if (!isPlain(url) || !METHODS.has(method)) return undefined;
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) return undefined;
  const headers = toHeaders(init, url.protocol, userAgent);
  if (headers === undefined) return undefined;
  const path = url.pathname + url.search;
  return { origin: url.origin, path, method, headers, body: body ?? null, maxRedirections: 0 };
}

/** Callers in JavaScript may give whatever `fetch` takes. */
function isOfItsType({ body, headers = {}, method, signal }: Untyped): boolean {
  if (method !== undefined && typeof method !== 'string') return false;
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) return false;
  if (signal !== undefined && !(signal instanceof AbortSignal)) return false;
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers) return false;
  const prototype: unknown = Object.getPrototypeOf(headers);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(headers).every((value) => typeof value === 'string');
}

function isPlain({ hash, href, password, port, protocol, search, username }: URL): boolean {
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (username !== '' || password !== '') return false;
  if (port !== '' && (Number(port) < 1024 || BLOCKED_PORTS.has(Number(port)))) return false;
  // A lonely `?` is part of no `search`.
  return search !== '' || href.charAt(href.length - hash.length - 1) !== '?';
}

function toHeaders(
  { headers: given = {}, body }: FetchInit,
  protocol: string,
  userAgent: string,
): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  const names = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (ACTED_UPON.has(lower) || names.has(lower) || lower === '__proto__') return undefined;
    if (!NAME.test(name) || !VALUE.test(value)) return undefined;
    names.add(lower);
    headers[name] = value;
  }
  if (typeof body === 'string' && !names.has('content-type')) {
    headers['content-type'] = 'text/plain;charset=UTF-8';
  }
  if (!names.has('accept')) headers['accept'] = '*/*';
  if (!names.has('accept-language')) headers['accept-language'] = '*';
  headers['sec-fetch-mode'] = 'cors';
  if (!names.has('user-agent')) headers['user-agent'] = userAgent;
  headers['accept-encoding'] = protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate';
  return headers;
}
