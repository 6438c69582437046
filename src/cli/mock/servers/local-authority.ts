import { isIP } from 'node:net';
import type { TlsFiles } from '../../../mock/http/serve.ts';

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
