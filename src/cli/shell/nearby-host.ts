import { parsedUrl } from '../../protocol/urls.ts';

/** Names without a dot, and the networks of RFC 1918: what containers have for each other. */
const NEARBY = [/^[^.]+$/, /\.internal$/, /^10\./, /^192\.168\./, /^172\.(?:1[6-9]|2\d|3[01])\./];

/** Whether a URL is probably that of another container: seldom anybody answers there by https. */
export function isNearby(url: string): boolean {
  const hostname = parsedUrl(url)?.hostname ?? '';
  return NEARBY.some((each) => each.test(hostname));
}
