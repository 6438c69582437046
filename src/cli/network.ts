import { BadProxyError, type ProxyFor, readProxies } from '../runtime/proxy.ts';
import { readAuthorities } from './authorities.ts';
import { usageError } from './cli-error.ts';
import type { EnvironmentSource } from './environment.ts';

/** How the network is reached. */
export interface Network {
  /** Authorities to trust beside those that Node trusts, as PEM. */
  readonly ca: readonly string[];
  readonly proxyFor: ProxyFor;
}

/** By `--ca` and the environment. @throws CliError (usage) when either is wrong. */
export function readNetwork(source: EnvironmentSource, ca: string | undefined): Network {
  return {
    ca: ca === undefined ? [] : [readAuthorities(ca).pem],
    proxyFor: proxiesOf(source),
  };
}

function proxiesOf(source: EnvironmentSource): ProxyFor {
  try {
    return readProxies(source);
  } catch (error) {
    if (!(error instanceof BadProxyError)) throw error;
    throw usageError(error.message, {
      code: 'bad_proxy',
      hint: 'Write it like http://proxy.example:3128, or unset it.',
      cause: error,
    });
  }
}
