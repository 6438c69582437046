import { compactVerify, exportSPKI, importJWK, importX509 } from 'jose';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import {
  alsoAlgorithm,
  alsoCritical,
  alsoSigned,
  type IsSigned,
  verifying,
} from '../../../../src/mock-service/faults/trust-faults.ts';
import type { Database } from '../../../../src/mock-service/index.ts';
import type { ReadJwt } from '../../../../src/mock-service/trust/jwt-verifier.ts';
import { isJsonObject, type JsonObject } from '../../../../src/protocol/json.ts';
import type { Jwk, JwkSet } from '../../../../src/protocol/jwk.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { isBareSigned } from './bare-signature.ts';

const isHmac = (alg: string) => alg === 'HS256';

/** Whether an HMAC was made with one of these secrets. */
async function isHmacOf({ header, token }: ReadJwt, secrets: readonly string[]): Promise<boolean> {
  if (!isHmac(String(header['alg']))) return false;
  const verified = secrets.map((secret) =>
    // Zeros fill a key of HMAC up: one of them is the empty key, which cannot be imported.
    compactVerify(token, new TextEncoder().encode(secret || '\0')),
  );
  return (await Promise.allSettled(verified)).some(({ status }) => status === 'fulfilled');
}

function keyOf({ header }: ReadJwt, { keys }: JwkSet): Jwk | undefined {
  return keys.find(({ kid }) => kid === header['kid']);
}

/** As files hold it: with a last line end, and as some readers hand it over without. */
async function publicKeyTexts(jwk: Jwk): Promise<readonly string[]> {
  const key = await importJWK({ ...jwk, ext: true }, jwk.alg ?? 'ES256');
  const pem = key instanceof Uint8Array ? '' : await exportSPKI(key);
  return [pem.trimEnd(), `${pem.trimEnd()}\n`];
}

/** The key that a header brings along, in `jwk` or as the first certificate in `x5c`. */
async function ownKey({ alg, jwk, x5c }: JsonObject) {
  const [certificate] = [x5c ?? []].flat();
  if (typeof certificate !== 'string') return importJWK((jwk ?? {}) as Jwk, String(alg));
  const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];
  return importX509(`${begin}\n${certificate}\n${end}`, String(alg));
}

/** The one file that has the same content on every machine. */
const FILES: ReadonlyMap<string, string> = new Map([['/dev/null', '']]);

/** A kid that is a path in the folder of keys, as `..` and `/` lead it. */
function secretInFile(kid: string): string | undefined {
  return FILES.get(new URL(kid, 'file:///srv/keys/').pathname);
}

/** A kid that is pasted into a statement (CWE-89), over the settings of the store. */
async function secretByQuery(kid: string, db: Database): Promise<string | undefined> {
  const sql = `SELECT value FROM settings WHERE owner = ? AND name = '${kid}'`;
  const row = await db.read((reader) => reader.get(sql, ['secrets'])).catch(() => undefined);
  const [value] = Object.values(row ?? {});
  return typeof value === 'string' ? value : undefined;
}

const trusting = (isSigned: IsSigned): Rewired => verifying((right) => alsoSigned(right, isSigned));

/** Faults of the signatures of providers: ID-JAGs and events alike. */
export const SIGNATURE_FAULTS = {
  acceptedHmac: {
    description: 'accepts an HMAC keyed with a public key (RFC 8725 §2.1)',
    parts: verifying((right) => ({
      ...alsoAlgorithm(right, isHmac),
      ...alsoSigned(right, async (jwt, keySet) => {
        const jwk = keyOf(jwt, keySet);
        return jwk !== undefined && isHmacOf(jwt, await publicKeyTexts(jwk));
      }),
    })),
    fails: {
      'id-jag-headers': ['hmac'],
      'event-headers': ['hmac'],
      'redemption-headers': ['hmac'],
    },
  },
  acceptedZeroSignature: {
    description: 'accepts an ECDSA signature of zeros (RFC 8725 §3.4)',
    parts: trusting(async ({ header, token }) => {
      const bytes = Buffer.from(token.split('.')[2] ?? '', 'base64url');
      return header['alg'] === 'ES256' && bytes.length === 64 && bytes.every((byte) => byte === 0);
    }),
    fails: {
      'id-jag-headers': ['ecdsa'],
      'event-headers': ['ecdsa'],
      'redemption-headers': ['ecdsa'],
    },
  },
  trustedHeaderKey: {
    description: 'verifies with the key in the header of the JWT (RFC 8725 §3.10, jwk, x5c)',
    parts: trusting(async ({ header, token }) => {
      await compactVerify(token, await ownKey(header));
      return true;
    }),
    fails: {
      'id-jag-headers': ['embedded-key'],
      'event-headers': ['embedded-key'],
      'redemption-headers': ['embedded-key'],
    },
  },
  trustedX5u: {
    description: 'fetches the certificate that the header names (RFC 8725 §3.10, x5u)',
    parts: verifying(({ fetchDocument, keySet }) => ({
      keySet: async (trusted, header) => {
        if (typeof header['x5u'] === 'string') await fetchDocument(header['x5u']);
        return keySet(trusted, header);
      },
    })),
    fails: {
      'id-jag-headers': ['fetched'],
      'event-headers': ['fetched'],
      'redemption-headers': ['fetched'],
    },
  },
  acceptedInheritedKid: {
    description:
      'finds a kid among the inherited members of an object, and then verifies nothing (RFC 8725 §3.10)',
    parts: trusting(async ({ header }, { keys }) => {
      const byKid = Object.fromEntries(keys.map((key) => [key.kid, key]));
      const found: unknown = byKid[String(header['kid'])];
      return found !== undefined && !(isJsonObject(found) && Object.hasOwn(found, 'kty'));
    }),
    fails: {
      'id-jag-headers': ['kid'],
      'event-headers': ['kid'],
      'redemption-headers': ['kid'],
    },
  },
  unescapedKid: {
    description:
      "uses the kid as a file name or in a query, and so finds an HMAC secret of the sender's choice (attack A-06)",
    parts: verifying((right, { db }) => ({
      ...alsoAlgorithm(right, isHmac),
      ...alsoSigned(right, async (jwt) => {
        const kid = String(jwt.header['kid']);
        const found = [secretInFile(kid), await secretByQuery(kid, db)];
        return isHmacOf(
          jwt,
          found.filter((secret) => secret !== undefined),
        );
      }),
    })),
    fails: {
      'id-jag-headers': ['kid'],
      'event-headers': ['kid'],
      'redemption-headers': ['kid'],
    },
  },
  ignoredCrit: {
    description: 'ignores critical header members (RFC 7515 §4.1.11)',
    parts: verifying((right) => ({
      ...alsoCritical(right, ({ crit }) => crit !== undefined),
      ...alsoSigned(
        right,
        async (jwt, keySet) =>
          jwt.header['crit'] !== undefined &&
          isBareSigned(jwt, keySet, { whateverIsCritical: true }),
      ),
    })),
    fails: {
      'id-jag-headers': ['critical'],
      'event-headers': ['critical'],
      'redemption-headers': ['critical'],
    },
  },
  acceptedUnencodedPayload: {
    description: 'accepts a signature over an unencoded payload (RFC 7797 §6)',
    parts: verifying((right) => ({
      ...alsoCritical(right, ({ b64 }) => b64 === false),
      ...alsoSigned(right, async (jwt, keySet) => {
        const [head, payload = ''] = jwt.token.split('.');
        const input = `${head}.${Buffer.from(payload, 'base64url').toString('utf8')}`;
        const how = { input, whateverIsCritical: true } as const;
        return jwt.header['b64'] === false && isBareSigned(jwt, keySet, how);
      }),
    })),
    fails: {
      'id-jag-headers': ['unencoded'],
      'event-headers': ['unencoded'],
      'redemption-headers': ['unencoded'],
    },
  },
  sharedKeys: {
    description: 'tries the keys of every trusted issuer (RFC 8725 §3.8)',
    parts: verifying(({ keySet, signatureProblem }, { trust }) => ({
      signatureProblem: async (jwt, own) => {
        const sets = trust.list().map((trusted) => keySet(trusted, jwt.header));
        for (const set of await Promise.all(sets)) {
          if (set !== undefined && (await signatureProblem(jwt, set)) === undefined) {
            return undefined;
          }
        }
        return signatureProblem(jwt, own);
      },
    })),
    fails: {
      'id-jag-keys': ['cross-issuer', 'same-kid'],
      'event-issuer-bounds': ['foreign-key'],
      'redemption-issuer': ['foreign-key'],
    },
  },
  ignoredAlg: {
    description:
      'verifies with the algorithm of the key, not with the one that the header names (RFC 8725 §3.1)',
    parts: trusting(async (jwt, keySet) => {
      const { kty = '' } = keyOf(jwt, keySet) ?? {};
      const alg = ALGORITHM_OF_TYPE.get(kty);
      const isOther = alg !== undefined && alg !== jwt.header['alg'];
      return isOther && isBareSigned(jwt, keySet, { alg });
    }),
    fails: { 'id-jag-keys': ['key-type'] },
  },
  acceptedShortRsaKey: {
    description: 'accepts RSA keys of 1024 bits (RFC 7518 §3.3)',
    parts: trusting(
      async (jwt, keySet) => jwt.header['alg'] === 'RS256' && isBareSigned(jwt, keySet),
    ),
    fails: { 'id-jag-keys': ['small-rsa'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

const ALGORITHM_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['EC', 'ES256'],
  ['OKP', 'EdDSA'],
  ['RSA', 'RS256'],
]);
