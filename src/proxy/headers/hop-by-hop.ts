/** Headers of one connection alone (RFC 9110 §7.6.1), and what the proxy's own connection decides. */
const OF_THE_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
] as const;

/** Removes what is for the next hop alone, and what `Connection` names. */
export function dropHopByHop(headers: Headers): void {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim());
  for (const name of [...OF_THE_CONNECTION, ...named]) {
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers.delete(name);
  }
}
