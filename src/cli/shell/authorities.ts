import { X509Certificate } from 'node:crypto';
import { usageError } from './cli-error.ts';
import { readNamedFile } from './read-named-file.ts';

/** A file of `--ca`: certificates of authorities, as PEM. */
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
    throw usageError(`The file ${path} of --ca holds no certificate in PEM form.`, {
      code: 'bad_ca',
      hint: 'It begins with -----BEGIN CERTIFICATE-----.',
    });
  }
  return { path, pem: found.join('\n'), certificates: found.map((pem) => parse(pem, path)) };
}

function parse(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw usageError(`A certificate in the file ${path} of --ca is damaged.`, {
      code: 'bad_ca',
      cause: error,
    });
  }
}
