import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../../../mock/http/serve.ts';
import { usageError } from '../../shell/cli-error.ts';
import { readNamedFile } from '../../shell/read-named-file.ts';
import type { MockOptions } from './mock-options.ts';

/** How the mocks of this process serve https. */
export interface MockTls {
  readonly files: TlsFiles;
  /** What the mocks have to trust to reach one another, as PEM. */
  readonly trusted: string;
  /** What clients have to trust: an existing file, or a CA certificate that is to be written to one. */
  readonly ca: { readonly path: string } | { readonly pem: string } | undefined;
}

/**
 * Opens TLS by `--tls`, or `--tls-cert` with `--tls-key`; `undefined` without either.
 * @throws CliError (usage) when they do not fit together, or a file is invalid.
 */
export async function openTls(
  { tls, tlsCert, tlsKey, baseUrl, providerBaseUrl }: MockOptions,
  host: string,
  signal: AbortSignal,
): Promise<MockTls | undefined> {
  if (tls === true || tlsCert !== undefined) {
    const flag = tls === true ? '--tls' : '--tls-cert';
    refuseHttp(flag, '--base-url', baseUrl);
    refuseHttp(flag, '--provider-base-url', providerBaseUrl);
  }
  if (tlsCert === undefined && tlsKey === undefined) {
    return tls === true ? localTls(host, [baseUrl, providerBaseUrl]) : undefined;
  }
  if (tls === true) {
    throw usageError('--tls and --tls-cert cannot be combined.');
  }
  if (tlsCert === undefined || tlsKey === undefined) {
    const missing = tlsCert === undefined ? '--tls-cert' : '--tls-key';
    throw usageError(`${missing} is missing: --tls-cert and --tls-key go together.`);
  }
  const { files, selfSigned } = await readTlsFiles(tlsCert, tlsKey, signal);
  return { files, trusted: files.cert, ca: selfSigned ? { path: tlsCert } : undefined };
}

/** A client that takes an http issuer would find nothing but https there. */
function refuseHttp(flag: string, name: string, base: string | undefined): void {
  if (base === undefined || new URL(base).protocol === 'https:') return;
  throw usageError(`${flag} cannot be combined with ${name} ${base}.`, {
    hint: `The mock then serves https: use https in ${name} too, or leave ${flag} out.`,
  });
}

async function localTls(host: string, baseUrls: readonly (string | undefined)[]): Promise<MockTls> {
  const names = baseUrls.flatMap((base) =>
    base !== undefined && URL.canParse(base) ? [new URL(base).hostname] : [],
  );
  const hosts = ['localhost', '127.0.0.1', '::1', host, ...names];
  const { ca, files } = await createLocalAuthority(hosts);
  return { files, trusted: ca, ca: { pem: ca } };
}

interface CheckedTls {
  readonly files: TlsFiles;
  /** Whether it is its own CA certificate. */
  readonly selfSigned: boolean;
}

/**
 * A certificate and its key, checked before anything is served.
 * @throws CliError (usage) naming the file and what is wrong with it.
 */
async function readTlsFiles(
  certPath: string,
  keyPath: string,
  signal: AbortSignal,
): Promise<CheckedTls> {
  const files = {
    cert: (await readNamedFile(certPath, signal, '--tls-cert')).toString('utf8'),
    key: (await readNamedFile(keyPath, signal, '--tls-key')).toString('utf8'),
  };
  const certificate = parseCertificate(files.cert, certPath);
  const key = parseKey(files.key, keyPath);
  if (!certificate.checkPrivateKey(key)) {
    throw wrong(`The key in ${keyPath} does not belong to the certificate in ${certPath}.`);
  }
  try {
    createSecureContext(files);
  } catch (error) {
    throw wrong(`TLS cannot be served with ${certPath} and ${keyPath}.`, error);
  }
  return { files, selfSigned: certificate.verify(certificate.publicKey) };
}

function parseCertificate(pem: string, path: string): X509Certificate {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw wrong(`The file ${path} of --tls-cert contains no PEM certificate.`);
  }
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw wrong(`The certificate in ${path} is invalid.`, error);
  }
}

function parseKey(pem: string, path: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    throw wrong(`The key in ${path} has a passphrase; use a key without one.`);
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw wrong(`The file ${path} of --tls-key contains no PEM private key.`);
  }
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw wrong(`The key in ${path} is invalid.`, error);
  }
}

function wrong(message: string, cause?: unknown) {
  return usageError(message, { code: 'bad_tls', cause });
}

/** A certificate for this run, and the authority that signed it, as PEM. */
interface LocalAuthority {
  readonly ca: string;
  readonly files: TlsFiles;
}

const DAY = 86_400_000;
const LIFETIME = 397 * DAY;

/**
 * Makes an authority and one certificate of it. The authority's key is forgotten at once: whoever trusts
 * it trusts nothing that is made later.
 */
export async function createLocalAuthority(hosts: readonly string[]): Promise<LocalAuthority> {
  const { generate } = await import('selfsigned');
  const now = Date.now();
  const common = {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + LIFETIME),
  } as const;
  const ca = await generate([{ name: 'commonName', value: 'agent-auth mock authority' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: 'agent-auth mock' }], {
    ...common,
    ca: { cert: ca.cert, key: ca.private },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...new Set(hosts)].map(altName) },
    ],
  });
  return { ca: ca.cert, files: { cert: leaf.cert, key: leaf.private } };
}

function altName(host: string) {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? ({ type: 2, value: bare } as const) : ({ type: 7, ip: bare } as const);
}
