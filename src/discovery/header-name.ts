/** A token of RFC 9110 §5.6.2, of a length that a name has. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/**
 * Headers that frame a message, choose its way, its cache or its form, or that a browser or a proxy fills in:
 * no service gets a credential sent there.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'age',
  'allow',
  'alt-svc',
  'cache-control',
  'connection',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'etag',
  'expect',
  'expires',
  'forwarded',
  'from',
  'host',
  'http2-settings',
  'keep-alive',
  'last-modified',
  'link',
  'location',
  'max-forwards',
  'origin',
  'pragma',
  'range',
  'referer',
  'retry-after',
  'server',
  'set-cookie',
  'set-cookie2',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'vary',
  'via',
  'warning',
  'www-authenticate',
]);

/** Families of such headers, by how they begin. */
const RESERVED_BEGINNINGS = [
  'accept-',
  'access-control-',
  'content-',
  'if-',
  'proxy-',
  'sec-',
  'x-forwarded-',
  'x-http-method',
  'x-original-',
  'x-rewrite-',
];

/**
 * A header that a service wants its credential in. `undefined`: it is no name of a header, one that may not
 * carry a credential, or `Authorization`, where every credential goes by itself (RFC 6750 §2.1).
 */
export function credentialHeaderName(given: unknown): string | undefined {
  if (typeof given !== 'string' || !TOKEN.test(given)) return undefined;
  const name = given.toLowerCase();
  const isReserved =
    RESERVED.has(name) || RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning));
  return isReserved || name === 'authorization' ? undefined : given;
}
