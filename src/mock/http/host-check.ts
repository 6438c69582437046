import { isLoopbackHost } from '../../protocol/urls.ts';
import { type BoundPlace, type Connection, connectionOf } from './connection.ts';

/**
 * Whether a request was sent to a name of this server. By a name that leads here and is none, a page of
 * another site would act as if it were ours (DNS rebinding, A-42). Without a connection every request is.
 */
export type HostCheck = (request: Request) => boolean;

interface HostCheckOptions {
  /** The base URL, an origin. */
  readonly issuer: string;
  /** `HOST` or `HOST:PORT`. */
  readonly allowedHosts: readonly string[];
}

/** A host as the URL parser writes it, without a final dot, and its port where it is given. */
interface Authority {
  readonly name: string;
  readonly port: number | undefined;
}

/** What a request to another name is told, with 421 (RFC 9110 §15.5.20). */
export const MISDIRECTED =
  'This server does not answer for the host that the request names. Use the URL of the server, or start it with --allow-host HOST (in the library: allowedHosts).';

const PATTERN = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]%]+)(?::(\d{1,5}))?$/i;
const WILDCARDS = ['0.0.0.0', '[::]'];

/**
 * Allows the host of the base URL, the place that is listened on, with every name of this machine for a
 * place that those reach, and the hosts that are named. No forwarding header counts.
 * @throws TypeError for a host that is none.
 */
export function hostCheck({ issuer, allowedHosts }: HostCheckOptions): HostCheck {
  const base = ofUrl(issuer);
  const named = allowedHosts.map((text) => {
    const host = readAllowedHost(text);
    if (host !== undefined) return host;
    throw new TypeError(
      `allowedHosts: ${JSON.stringify(text)} is not a host. Use HOST or HOST:PORT, for example mock.internal:8080.`,
    );
  });
  const isAllowed = (host: Authority, bound: BoundPlace) =>
    isAt(host, base, defaultPort(issuer)) ||
    isBound(host, bound) ||
    named.some((one) => isNamed(host, one));
  const isOurs = ({ bound, incoming }: Connection) => {
    // The target is a URL where a client of a proxy sends it (RFC 9112 §3.2.2).
    const { headers, url = '/' } = incoming;
    const sentTo = [
      readAuthority(headers.host ?? ''),
      ...(url.startsWith('/') ? [] : [ofUrl(url)]),
    ];
    return sentTo.every((one) => one !== undefined && isAllowed(one, bound));
  };
  /** The name by which it was reached last, and where: nearly every request names the same. */
  let last: { readonly host: string | undefined; readonly bound: BoundPlace } | undefined;
  return (request) => {
    const connection = connectionOf(request);
    if (connection === undefined) return true;
    const { bound, incoming } = connection;
    const { host } = incoming.headers;
    if (last?.host === host && last?.bound === bound && incoming.url?.startsWith('/')) return true;
    if (!isOurs(connection)) return false;
    last = { host, bound };
    return true;
  };
}

/** A host that is allowed: `HOST`, with any port, or `HOST:PORT`. `undefined` when it is none. */
export function readAllowedHost(text: string): Authority | undefined {
  const host = readAuthority(inBrackets(text));
  return host === undefined || host.name.includes('*') ? undefined : host;
}

function readAuthority(text: string): Authority | undefined {
  const [, name = '', port] = PATTERN.exec(text) ?? [];
  if (name === '' || !URL.canParse(`http://${name}`)) return undefined;
  const number = port === undefined ? undefined : Number(port);
  return number !== undefined && number > 65_535
    ? undefined
    : { name: spelled(name), port: number };
}

function ofUrl(url: string): Authority | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return { name: spelled(hostname), port: Number(port) || defaultPort(url) };
}

/** An IPv6 address, as URLs have it. */
function inBrackets(host: string): string {
  return URL.canParse(`http://[${host}]`) ? `[${host}]` : host;
}

/** A host name in the one spelling that is compared; a final dot names the same host (RFC 1034 §3.1). */
function spelled(name: string): string {
  return new URL(`http://${name}`).hostname.replace(/\.$/, '');
}

function defaultPort(url: string): number {
  return /^https:/i.test(url) ? 443 : 80;
}

function isAt({ name, port }: Authority, place: Authority | undefined, usual: number): boolean {
  return name === place?.name && (port ?? usual) === place.port;
}

/** The place itself; every name of this machine, where those lead to it. */
function isBound(host: Authority, { host: listened, isTls, port }: BoundPlace): boolean {
  // A zone is of this machine alone: no URL has one (RFC 9844 §6).
  const bare = listened.replace(/%.*$/, '');
  const own = readAuthority(inBrackets(bare))?.name;
  if (own === undefined || (host.port ?? (isTls ? 443 : 80)) !== port) return false;
  const isThisMachine = isLoopbackHost(own) || WILDCARDS.includes(own);
  return host.name === own || (isThisMachine && isLoopbackHost(host.name));
}

/** Whoever names no port uses the usual one of a scheme that a proxy may have seen alone. */
function isNamed({ name, port }: Authority, one: Authority): boolean {
  if (name !== one.name) return false;
  if (one.port === undefined || one.port === port) return true;
  return port === undefined && (one.port === 80 || one.port === 443);
}
