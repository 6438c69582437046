import {
  constants,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';

export type JwtAlgorithm = keyof typeof SIGNING;

/** How each algorithm signs and verifies (RFC 7518 §3.1, RFC 8037 §3.1). */
export const SIGNING = {
  ES256: { digest: 'sha256', dsaEncoding: 'ieee-p1363' },
  EdDSA: { digest: null },
  RS256: { digest: 'sha256' },
  PS256: {
    digest: 'sha256',
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  },
} as const;

/** A key pair of one of the suite's peers. Made for one run, never stored. */
export interface TestKey {
  readonly algorithm: JwtAlgorithm;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The key as published: with `kid`, `alg` and `use`. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** Makes a key. `modulusLength` in bits, for RSA only. */
export function makeKey(algorithm: JwtAlgorithm = 'ES256', modulusLength = 2048): TestKey {
  return testKey(generate(algorithm, modulusLength).privateKey, algorithm);
}

/** @param kid Default: the thumbprint. */
export function testKey(privateKey: KeyObject, algorithm: JwtAlgorithm, kid?: string): TestKey {
  const publicKey = createPublicKey(privateKey);
  const bare = publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
  const jwk = { ...bare, kid: kid ?? thumbprint(bare), alg: algorithm, use: 'sig' };
  return { algorithm, kid: jwk.kid, privateKey, publicKey, jwk };
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
  const { digest, ...how } = SIGNING[algorithm];
  return sign(digest, Buffer.from(input), { key, ...how });
}
