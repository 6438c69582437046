import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';

export type JwtAlgorithm = 'ES256' | 'EdDSA' | 'RS256' | 'PS256';

/** A key pair of one of the suite's peers. Made for one run, never stored. */
export interface TestKey {
  readonly algorithm: JwtAlgorithm;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** As published: with `kid`, `alg` and `use`. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** Makes a key. `modulusLength` in bits, for RSA only. */
export function makeKey(algorithm: JwtAlgorithm = 'ES256', modulusLength = 2048): TestKey {
  const { privateKey, publicKey } = generate(algorithm, modulusLength);
  const bare = publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
  const kid = thumbprint(bare);
  return {
    algorithm,
    kid,
    privateKey,
    publicKey,
    jwk: { ...bare, kid, alg: algorithm, use: 'sig' },
  };
}

function generate(algorithm: JwtAlgorithm, modulusLength: number) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength });
}

/** Members of private and of symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4). */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

/** The SHA-256 thumbprint of a public key (RFC 7638 §3); empty for a kind without required members. */
export function thumbprint(jwk: Readonly<Record<string, unknown>>): string {
  const names = REQUIRED[String(jwk['kty'])];
  if (names === undefined) return '';
  const members = Object.fromEntries(names.map((name) => [name, jwk[name]]));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
