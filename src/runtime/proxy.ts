import { isLoopbackHost } from '../protocol/index.ts';

/** The variables that are read, lower case before upper case; the empty string is not set. */
export const PROXY_VARIABLES = {
  https: ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'],
  http: ['http_proxy', 'HTTP_PROXY'],
  none: ['no_proxy', 'NO_PROXY'],
} as const;

type Source = Readonly<Record<string, string | undefined>>;

/** A proxy to go through. */
export interface ProxyServer {
  /** The proxy without its credentials. */
  readonly origin: string;
  /** `HOST:PORT`, for users. */
  readonly host: string;
  /** The variable that named it. */
  readonly variable: string;
  /** The value of `Proxy-Authorization`; a secret. */
  readonly authorization: string | undefined;
}

/** Through which proxy a URL is reached; `undefined`: directly. */
export type ProxyFor = (url: string) => ProxyServer | undefined;

/** A variable that names no proxy. Its value is kept out: it may hold a password. */
export class BadProxyError extends Error {
  override readonly name = 'BadProxyError';
  readonly variable: string;

  constructor(variable: string) {
    super(`${variable} is not the URL of an http or https proxy.`);
    this.variable = variable;
  }
}

/**
 * The choice of a proxy by HTTPS_PROXY, HTTP_PROXY and NO_PROXY. An https URL takes HTTPS_PROXY and
 * else HTTP_PROXY. This machine's own URLs are never reached through one: a proxy would look for
 * them on its own machine.
 * @throws BadProxyError
 */
export function readProxies(source: Source): ProxyFor {
  const https = readProxy(source, PROXY_VARIABLES.https);
  const http = readProxy(source, PROXY_VARIABLES.http);
  const isExempt = readExemptions(first(source, PROXY_VARIABLES.none)?.value ?? '');
  return (url) => {
    const { protocol, hostname, port } = new URL(url);
    if (isLoopbackHost(hostname)) return undefined;
    const isHttps = protocol === 'https:';
    if (isExempt(hostname, Number(port) || (isHttps ? 443 : 80))) return undefined;
    return isHttps ? https : http;
  };
}

function first(source: Source, names: readonly string[]) {
  for (const variable of names) {
    const value = source[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}

function readProxy(source: Source, names: readonly string[]): ProxyServer | undefined {
  const named = first(source, names);
  if (named === undefined) return undefined;
  const { variable, value } = named;
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(absolute)) throw new BadProxyError(variable);
  const url = new URL(absolute);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new BadProxyError(variable);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return {
    origin: url.origin,
    host: `${url.hostname}:${port}`,
    variable,
    authorization: basic(url, variable),
  };
}

function basic({ username, password }: URL, variable: string): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new BadProxyError(variable);
  }
}

/** `*`, `HOST`, `.HOST`, `*.HOST`, each perhaps with a port, after commas or spaces. Hosts below one count, too. */
function readExemptions(text: string): (host: string, port: number) => boolean {
  const entries = text
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? [];
      // An IPv6 address without brackets has colons of its own.
      return host.includes(':') && !host.startsWith('[')
        ? { host: `[${entry}]`, port: undefined }
        : { host, port: port === undefined ? undefined : Number(port) };
    });
  return (host, port) =>
    entries.some(
      (entry) =>
        entry.host === '*' ||
        ((entry.port === undefined || entry.port === port) &&
          (host === entry.host || host.endsWith(`.${entry.host}`))),
    );
}
