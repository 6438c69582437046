import { isLoopbackHost } from '../../protocol/urls.ts';
import { type ConnectGuard, NetworkError } from '../../runtime/ports.ts';
import { BadProxyError, type ProxyFor, readProxies } from '../../runtime/proxy.ts';
import type { AuthorityFile } from './authorities.ts';
import type { EnvironmentSource } from './environment.ts';

/** How the network is reached. */
export interface Network {
  /** CA certificates to trust in addition to Node's, as PEM. */
  readonly ca: readonly string[];
  readonly proxyFor: ProxyFor;
  /** Asked about each IP address before a connection. Default: every one passes. */
  readonly guard?: ConnectGuard | undefined;
}

/** By what `--ca` named and the environment. */
export function readNetwork(
  source: EnvironmentSource,
  authorities: AuthorityFile | undefined,
): Network {
  return {
    ca: authorities === undefined ? [] : [authorities.pem],
    proxyFor: proxiesOf(source),
  };
}

function proxiesOf(source: EnvironmentSource): ProxyFor {
  try {
    return readProxies(source);
  } catch (error) {
    if (!(error instanceof BadProxyError)) throw error;
    // Loopback hosts are reached without a proxy: a wrong one does not matter there.
    return (url) => {
      if (isLoopbackHost(new URL(url).hostname)) return undefined;
      throw new NetworkError('proxy', error.message, { cause: error });
    };
  }
}
