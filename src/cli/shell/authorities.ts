import { X509Certificate } from 'node:crypto';
import { usageError } from './cli-error.ts';
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
