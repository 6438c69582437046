import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../../../mock/http/serve.ts';
import { usageError } from '../../shell/cli-error.ts';
import { readNamedFile } from '../../shell/read-named-file.ts';

interface CheckedTls {
  readonly files: TlsFiles;
  /** Whether it is its own CA certificate. */
  readonly selfSigned: boolean;
}

/**
 * A certificate and its key, checked before anything is served.
 * @throws CliError (usage) naming the file and what is wrong with it.
 */
export async function readTlsFiles(
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
