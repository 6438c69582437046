/** What a host to listen on has to be, for messages. */
export const HOST_NAME = 'a host name or an IP address, without a scheme or a port';

export function isHostName(text: string): boolean {
  // An IPv6 address may name its zone (RFC 4007 §11).
  const isIpv6 = URL.canParse(`http://[${text.replace(/%[\w.-]+$/, '')}]`);
  return isIpv6 || (/^[\p{L}\p{N}._-]+$/u.test(text) && URL.canParse(`http://${text}`));
}
