import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

/**
 * The authorities that Node trusts by itself, and further ones. Naming any replaces Node's own list, the
 * one of NODE_EXTRA_CA_CERTS included, so all are named.
 */
export function trustedRoots(further: readonly string[]): string[] {
  return [...defaultRoots(), ...further];
}

function defaultRoots(): readonly string[] {
  // From Node 22.15 on.
  const { getCACertificates } = tls as {
    readonly getCACertificates?: (type: 'default') => readonly string[];
  };
  if (getCACertificates !== undefined) return getCACertificates('default');
  return [...tls.rootCertificates, ...extraRoots(process.env['NODE_EXTRA_CA_CERTS'])];
}

/** Node warns of a file that it cannot read, and goes on without. */
function extraRoots(file: string | undefined): readonly string[] {
  if (!file) return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
