import { X509Certificate } from 'node:crypto';
import { isLoopbackHost } from '../../protocol/urls.ts';
import { type ConnectGuard, NetworkError } from '../../runtime/ports.ts';
import { BadProxyError, type ProxyFor, readProxies } from '../../runtime/proxy.ts';
import { usageError } from './cli-error.ts';
import type { EnvironmentSource } from './environment.ts';
import { readNamedFile } from './read-named-file.ts';

/** A file of `--ca`: CA certificates, as PEM. */
export interface AuthorityFile {
  readonly path: string;
  readonly pem: string;
  readonly certificates: readonly X509Certificate[];
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** @throws CliError (usage) for a file that cannot be read or holds no certificate. */
export async function readAuthorities(path: string, signal: AbortSignal): Promise<AuthorityFile> {
  const text = (await readNamedFile(path, signal)).toString('utf8');
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) {
    throw usageError(`The file ${path} of --ca contains no PEM certificate.`, {
      code: 'bad_ca',
      hint: 'A PEM certificate begins with -----BEGIN CERTIFICATE-----.',
    });
  }
  return { path, pem: found.join('\n'), certificates: found.map((pem) => parse(pem, path)) };
}

function parse(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw usageError(`A certificate in the file ${path} of --ca is invalid.`, {
      code: 'bad_ca',
      cause: error,
    });
  }
}

/** How the network is reached. */
export interface Network {
  /** CA certificates to trust in addition to Node's, as PEM. */
  readonly ca: readonly string[];
  readonly proxyFor: ProxyFor;
  /** Called with each IP address before a connection, which it may refuse. Default: every one passes. */
  readonly guard?: ConnectGuard | undefined;
}

/** Reads what `--ca` named and the environment says of the network. */
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
