import {
  type Client,
  type ClientOptions,
  resolveClient,
  resolveClients,
} from '../../mock/clients/client.ts';
import { wrongOption } from '../../mock/config/wrong-option.ts';
import { isLoopbackHost, parsedUrl } from '../../protocol/urls.ts';

/** A client that users sign in to, and that exchanges their ID tokens for ID-JAGs. */
export interface ProviderClientOptions extends ClientOptions {
  /**
   * Where the answer to an authorization request may go; compared as text (RFC 9700 §4.1.3). Default: any loopback
   * address.
   */
  readonly redirectUris?: readonly string[];
  /** Who decides what it reaches: its user, who is asked for each service, or policy. Default: `policy`. */
  readonly consent?: ConsentBy;
}

/** Who decides what a client reaches. */
export const CONSENT_BY = ['ask', 'policy'] as const;
/** A way to decide of consent. */
export type ConsentBy = (typeof CONSENT_BY)[number];

export type ProviderClient = Client & Pick<ProviderClientOptions, 'consent' | 'redirectUris'>;

/** Which client a service knows a client by. */
export interface ClientMapping {
  /** The id of the client here. */
  readonly client: string;
  /** The issuer of the service. */
  readonly audience: string;
  /** The id of the client there, which its ID-JAGs name. */
  readonly id: string;
}

/** @throws TypeError that says what is wrong with it. */
export function resolveProviderClient({
  consent,
  redirectUris,
  ...given
}: ProviderClientOptions): ProviderClient {
  const client = resolveClient(given);
  const wrong = redirectUris?.find((uri) => parsedUrl(uri) === undefined || uri.includes('#'));
  if (wrong !== undefined) {
    throw wrongOption('redirectUris', wrong, 'Use a full URL without a fragment.');
  }
  if (consent !== undefined && !CONSENT_BY.includes(consent)) {
    throw wrongOption('consent', consent, `Use ${CONSENT_BY.join(' or ')}.`);
  }
  return { ...client, ...(redirectUris && { redirectUris }), ...(consent && { consent }) };
}

/** @throws TypeError that says which client is wrong. */
export function resolveProviderClients(
  given: readonly ProviderClientOptions[] = [],
): readonly ProviderClient[] {
  resolveClients(given);
  return given.map(resolveProviderClient);
}

/**
 * Whether an answer may go there: to a registered URI, character for character, but for the port of a loopback
 * address (RFC 8252 §7.3); where none is registered, to any loopback address.
 */
export function mayRedirect(uri: string, client: ProviderClient | undefined): boolean {
  const url = parsedUrl(uri);
  if (url === undefined || uri.includes('#')) return false;
  const isLoopback = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  if (client?.redirectUris === undefined) return isLoopback;
  return client.redirectUris.some(
    (known) => known === uri || (isLoopback && withoutPort(known) === withoutPort(uri)),
  );
}

/** A loopback URI without its port. URIs are compared as they are spelled but for that. */
function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d+(?=[/?]|$)/, '$1');
}
