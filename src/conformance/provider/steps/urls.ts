/** RFC 9728 §7.1: https; plain http only on loopback. */
export function isHttpsUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { hostname, protocol } = new URL(value);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
