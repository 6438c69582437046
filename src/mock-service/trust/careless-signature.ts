import {
  compactVerify,
  createLocalJWKSet,
  exportSPKI,
  importJWK,
  importX509,
  type JSONWebKeySet,
  type JWK,
} from 'jose';
import type { ServiceFault } from '../faults/index.ts';
import type { TrustedIssuer } from '../options.ts';
import type { ReadJwt } from './careless-reading.ts';
import type { KeySource } from './key-source.ts';
import type { TrustList } from './trust-list.ts';
import type { JwtVerifier } from './verify-jwt.ts';

interface Verifying {
  readonly jwt: ReadJwt;
  readonly keySet: JSONWebKeySet;
  readonly trust: TrustList;
  readonly keys: KeySource;
}

type Way = (verifying: Verifying) => Promise<boolean>;

/** What a service with the mistake takes for a good signature. */
const WAYS = {
  noneAccepted: async ({ jwt }) => String(jwt.header['alg']).toLowerCase() === 'none',
  hmacWithPublicKey: async (verifying) => {
    const jwk = keyOf(verifying);
    if (verifying.jwt.header['alg'] !== 'HS256' || jwk === undefined) return false;
    const key = await importJWK({ ...jwk, ext: true }, 'ES256');
    const pem = key instanceof Uint8Array ? '' : `${await exportSPKI(key)}\n`;
    const secrets = [pem, pem.trimEnd()].map((text) => new TextEncoder().encode(text));
    return any(secrets.map((secret) => compactVerify(verifying.jwt.token, secret)));
  },
  zeroSignatureAccepted: async ({ jwt }) => {
    const bytes = signatureOf(jwt);
    return bytes.length === 64 && bytes.every((byte) => byte === 0);
  },
  headerKeyTrusted: async ({ jwt: { header, token } }) => {
    const alg = String(header['alg']);
    const [certificate] = [header['x5c'] ?? []].flat();
    const key =
      typeof certificate === 'string'
        ? importX509(`-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`, alg)
        : importJWK((header['jwk'] ?? {}) as JWK, alg);
    return any([key.then((trusted) => compactVerify(token, trusted))]);
  },
  jkuTrusted: async ({ jwt: { header, token }, keys }) => {
    if (typeof header['jku'] !== 'string') return false;
    const foreign = await keys.keySet(header['jku'], String(header['kid']));
    return any(foreign ? [compactVerify(token, createLocalJWKSet(foreign))] : []);
  },
  certificateFetched: async ({ jwt: { header }, keys }) => {
    if (typeof header['x5u'] === 'string') await keys.keySet(header['x5u'], '');
    return false;
  },
  kidLookedUpCarelessly: async ({ jwt: { header } }) => String(header['kid']) in {},
  kidLeadsToSecret: async ({ jwt: { header, token } }) => {
    const kid = String(header['kid']);
    const secret = kid.endsWith('/dev/null') ? '' : /UNION SELECT '(\w+)'/.exec(kid)?.[1];
    if (header['alg'] !== 'HS256' || secret === undefined) return false;
    // Zeros fill a key of HMAC up: one of them is the empty key, which cannot be imported.
    return any([compactVerify(token, new TextEncoder().encode(secret || '\0'))]);
  },
  criticalIgnored: async (verifying) =>
    verifying.jwt.header['crit'] !== undefined && isSigned(verifying, { critical: true }),
  unencodedAccepted: async (verifying) => {
    const { header, token } = verifying.jwt;
    const [head, body = ''] = token.split('.');
    const input = `${head}.${Buffer.from(body, 'base64url').toString('utf8')}`;
    return header['b64'] === false && isSigned(verifying, { input, critical: true });
  },
  lenientBase64: (verifying) => isSigned(verifying),
  firstMemberWins: (verifying) => isSigned(verifying),
  keysOfAllIssuers: async ({ jwt: { header, token }, keys, trust }) => {
    const sets = trust.list().map(({ jwksUri }) => keys.keySet(jwksUri, String(header['kid'])));
    const keySets = (await Promise.all(sets)).filter((set) => set !== undefined);
    return any(keySets.map((set) => compactVerify(token, createLocalJWKSet(set))));
  },
  keyTypeIgnored: async (verifying) => {
    const { crv } = keyOf(verifying) ?? {};
    return crv === 'Ed25519' && isSigned(verifying, { alg: 'EdDSA' });
  },
  smallRsaAccepted: async (verifying) =>
    verifying.jwt.header['alg'] === 'RS256' && isSigned(verifying),
} satisfies Partial<Record<ServiceFault, Way>>;

/** Whether a fault takes a signature that is none, or one by a key that is not the issuer's. */
export async function isSignedCarelessly(
  jwt: ReadJwt,
  trusted: TrustedIssuer,
  { faults, keys, trust }: JwtVerifier,
): Promise<boolean> {
  const ways = Object.entries(WAYS) as [keyof typeof WAYS, Way][];
  const careless = ways.filter(([name]) => faults.has(name)).map(([, way]) => way);
  if (careless.length === 0) return false;
  const published = await keys.keySet(trusted.jwksUri, String(jwt.header['kid']));
  const keySet = published ?? { keys: [] };
  for (const way of careless) {
    if (await way({ jwt, keySet, trust, keys })) return true;
  }
  return false;
}

async function any(verified: readonly Promise<unknown>[]): Promise<boolean> {
  return (await Promise.allSettled(verified)).some(({ status }) => status === 'fulfilled');
}

function keyOf({ jwt, keySet }: Verifying): JWK | undefined {
  return keySet.keys.find(({ kid }) => kid === jwt.header['kid']);
}

function signatureOf({ token }: ReadJwt): Buffer {
  return Buffer.from(token.split('.')[2] ?? '', 'base64url');
}

const WEB_ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  EdDSA: { name: 'Ed25519' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const;

/** The bare signature, without what jose asks beside it. */
async function isSigned(
  verifying: Verifying,
  options: { alg?: unknown; input?: string; critical?: true } = {},
): Promise<boolean> {
  const { header } = verifying.jwt;
  const { alg = header['alg'], input, critical } = options;
  if (header['crit'] !== undefined && critical === undefined) return false;
  const jwk = keyOf(verifying);
  if (jwk?.use !== 'sig' || jwk.alg !== alg) return false;
  const algorithm = Object.entries(WEB_ALGORITHMS).find(([name]) => name === alg)?.[1];
  if (algorithm === undefined) return false;
  const { kty, crv, x, y, n, e } = jwk;
  try {
    const bare = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as Record<string, string>;
    const key = await crypto.subtle.importKey('jwk', bare, algorithm, false, ['verify']);
    const text = input ?? verifying.jwt.token.split('.').slice(0, 2).join('.');
    const bytes = new Uint8Array(signatureOf(verifying.jwt));
    return await crypto.subtle.verify(algorithm, key, bytes, new TextEncoder().encode(text));
  } catch {
    return false;
  }
}
