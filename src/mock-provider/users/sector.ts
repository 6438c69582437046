import { isLoopbackHost, parsedUrl } from '../../protocol/urls.ts';
import type { ProviderClient } from '../clients/provider-client.ts';

/**
 * Who is told a pairwise `sub` (OpenID Connect Core §8.1): the clients of one host of redirects see the same user. A
 * client of several hosts, or at a loopback address, which is everybody's, sees its own.
 */
export function sectorOfClient(clients: readonly ProviderClient[], clientId: string): string {
  const { redirectUris = [] } = clients.find(({ id }) => id === clientId) ?? {};
  const [host, another] = new Set(redirectUris.map((uri) => new URL(uri).hostname));
  if (host === undefined || another !== undefined || isLoopbackHost(host)) return clientId;
  return host;
}

/**
 * The same of a service: its ID-JAGs have the `sub` that their user would sign in there with
 * (draft-ietf-oauth-identity-assertion-authz-grant §3.1). On this machine services differ by their ports alone.
 */
export function sectorOfService(issuer: string): string {
  const url = parsedUrl(issuer);
  // What is no URL is no service, and nobody else.
  if (url === undefined) return issuer;
  return isLoopbackHost(url.hostname) ? url.origin : url.hostname;
}
