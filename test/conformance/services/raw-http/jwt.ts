import {
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { BugId } from './bugs.ts';
import { Refusal } from './http.ts';
import { SECOND, type State } from './state.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface Parsed {
  readonly header: Claims;
  readonly claims: Claims;
  readonly signed: string;
  readonly signature: Buffer;
}

/** Of an RSA key (RFC 7518 §3.3). */
const FEWEST_BITS = 2048;
const PART = /^[A-Za-z0-9_-]+$/;

/** The three parts, not verified; `undefined` where it is none. */
export function parseJwt(text: string): Parsed | undefined {
  const parts = text.split('.');
  const [head = '', body = '', signature = ''] = parts;
  if (parts.length !== 3 || ![head, body].every((part) => PART.test(part))) return undefined;
  if (signature !== '' && !PART.test(signature)) return undefined;
  const header = objectIn(head);
  const claims = objectIn(body);
  if (header === undefined || claims === undefined) return undefined;
  return {
    header,
    claims,
    signed: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

function objectIn(part: string): Claims | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const value: unknown = JSON.parse(decoder.decode(Buffer.from(part, 'base64url')));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Claims;
  } catch {
    return undefined;
  }
}

/** RFC 7515 §4.1.9: a type without a slash stands for `application/` and it. */
export function isTyped({ header }: Parsed, type: string): boolean {
  const typ = typeof header['typ'] === 'string' ? header['typ'].toLowerCase() : '';
  return typ === type || typ === `application/${type}`;
}

/** What an algorithm needs of a key, and how `node:crypto` is told. */
const ALGORITHMS: Readonly<
  Record<
    string,
    {
      readonly kty: string;
      readonly crv?: string;
      readonly hash: string | null;
      readonly options: object;
    }
  >
> = {
  ES256: { kty: 'EC', crv: 'P-256', hash: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  RS256: { kty: 'RSA', hash: 'sha256', options: {} },
  // 6: RSA_PKCS1_PSS_PADDING of OpenSSL. The salt is as long as the hash (RFC 7518 §3.5).
  PS256: { kty: 'RSA', hash: 'sha256', options: { padding: 6, saltLength: 32 } },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', hash: null, options: {} },
};

/** Whether one of the keys made the signature, by an algorithm that we choose. */
export function isSignedBy(jwt: Parsed, keys: readonly JsonWebKey[], has: Has = none): boolean {
  const { alg, kid } = jwt.header;
  if (isForged(jwt, keys, has)) return true;
  if (typeof alg !== 'string' || !Object.hasOwn(ALGORITHMS, alg)) return false;
  const needs = ALGORITHMS[alg];
  if (needs === undefined) return false;
  return keys
    .filter((key) => kid === undefined || key['kid'] === kid)
    .filter((key) => key.kty === needs.kty && key.crv === needs.crv)
    .filter((key) => (key['alg'] ?? alg) === alg && isToVerify(key))
    .some((key) => {
      try {
        const publicKey = createPublicKey({ key, format: 'jwk' });
        if (bitsOf(publicKey) < FEWEST_BITS) return false;
        const how = { key: publicKey, ...needs.options };
        return verify(needs.hash, Buffer.from(jwt.signed), how, jwt.signature);
      } catch {
        return false;
      }
    });
}

/** RFC 7517 §4.2, §4.3: what a key is meant for, where it says so. */
function isToVerify({ use = 'sig', key_ops: operations = ['verify'] }: JsonWebKey): boolean {
  return use === 'sig' && Array.isArray(operations) && operations.includes('verify');
}

function bitsOf({ asymmetricKeyDetails }: KeyObject): number {
  return asymmetricKeyDetails?.modulusLength ?? FEWEST_BITS;
}

type Has = (bug: BugId) => boolean;
const none: Has = () => false;

/** What gets through with each of the bugs of a verifier. */
function isForged({ header, signed, signature }: Parsed, keys: readonly JsonWebKey[], has: Has) {
  const { alg, jwk } = header;
  if (has('alg-confusion') && alg === 'HS256') {
    const pems = keys.map((key) => createPublicKey({ key, format: 'jwk' }));
    return pems.some((key) => {
      const secret = key.export({ type: 'spki', format: 'pem' });
      return createHmac('sha256', secret).update(signed).digest().equals(signature);
    });
  }
  if (has('psychic-signature') && alg === 'ES256') return signature.equals(Buffer.alloc(64));
  if (has('case-of-none')) return alg !== 'none' && String(alg).toLowerCase() === 'none';
  if (has('embedded-jwk') && typeof jwk === 'object' && jwk !== null) {
    const { jwk: _, kid: __, ...rest } = header;
    return isSignedBy({ header: rest, claims: {}, signed, signature }, [jwk as JsonWebKey]);
  }
  return false;
}

export function signJwt({ signer, now, origin }: State, type: string, claims: Claims): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const header = { alg: 'ES256', typ: type, kid: signer.jwk['kid'] };
  const body = { iss: origin, aud: origin, iat: Math.floor(now() / SECOND), ...claims };
  const signed = `${encode(header)}.${encode(body)}`;
  const key = { key: signer.key, dsaEncoding: 'ieee-p1363' as const };
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** An instant of a claim, in seconds. @throws Refusal when it is there and no number. */
export function instant(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Refusal(400, 'invalid_request', `${name} has to be a number.`);
}
