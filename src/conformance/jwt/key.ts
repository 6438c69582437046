import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

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

/** JSON members, or the raw text of the part. */
type JwtPart = Readonly<Record<string, unknown>> | string;

/** A signed compact JWT with any header and claims, right or wrong. Undefined members are left out. */
export function forgeJwt(header: JwtPart, claims: JwtPart, key: TestKey): string {
  const input = `${encodePart(header)}.${encodePart(claims)}`;
  return `${input}.${signature(key.algorithm, input, key.privateKey).toString('base64url')}`;
}

/** A part in base64url, without padding. */
export function encodePart(part: JwtPart): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

export function signature(algorithm: JwtAlgorithm, input: string, key: KeyObject): Buffer {
  const data = Buffer.from(input);
  switch (algorithm) {
    case 'ES256':
      return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
    case 'EdDSA':
      return sign(null, data, key);
    case 'RS256':
      return sign('sha256', data, key);
    case 'PS256':
      return sign('sha256', data, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
      });
  }
}
