import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { isObject } from '../http/answer.ts';
import { type JwtAlgorithm, SIGNING } from './forge.ts';

export interface OpenedJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly input: string;
  readonly signature: Uint8Array;
}

/** Parses a compact JWS strictly (RFC 7515 §7.1); undefined when it is not one. Verifies nothing. */
export function openJwt(token: string): OpenedJwt | undefined {
  const parts = token.split('.');
  const [header, claims, signature] = parts;
  if (parts.length !== 3 || header === undefined || claims === undefined || !signature) {
    return undefined;
  }
  if (!parts.every((part) => /^[\w-]+$/.test(part))) return undefined;
  const [first, second] = [readPart(header), readPart(claims)];
  if (first === undefined || second === undefined) return undefined;
  return {
    header: first,
    claims: second,
    input: `${header}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

function readPart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Compares a `typ`, whatever its case, with or without `application/` (RFC 7515 §4.1.9). */
export function isType(typ: unknown, kind: string): boolean {
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === kind;
}

/** Why a signature is invalid, as a clause; undefined when it is valid. */
export function signatureProblem(jwt: OpenedJwt, keys: readonly unknown[]): string | undefined {
  const { alg, kid } = jwt.header;
  const candidates = keys.filter(isObject).filter((key) => kid === undefined || key['kid'] === kid);
  if (keys.length === 0) return 'the set has no keys';
  if (candidates.length === 0) return `no key of the set has its kid ${JSON.stringify(kid)}`;
  if (candidates.some((jwk) => verifies(String(alg), jwt, jwk))) return undefined;
  const by = kid === undefined ? 'any published key' : `the published key ${JSON.stringify(kid)}`;
  return `its signature (${String(alg)}) is not by ${by}`;
}

/** Bytes of the MAC that each algorithm makes (RFC 7518 §3.2). */
const MACS: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/** Whether it is signed with a secret key, as far as that can be seen: what only says so has another length. */
export function hasMac({ header, signature }: OpenedJwt): boolean {
  return MACS[String(header['alg'])] === signature.length;
}

function verifies(alg: string, jwt: OpenedJwt, jwk: Readonly<Record<string, unknown>>): boolean {
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const name = alg === 'Ed25519' ? 'EdDSA' : alg;
    if (!Object.hasOwn(SIGNING, name) || (name === 'ES256' && jwk['crv'] !== 'P-256')) return false;
    const { digest, ...how } = SIGNING[name as JwtAlgorithm];
    return verify(digest, Buffer.from(jwt.input), { key, ...how }, jwt.signature);
  } catch {
    return false;
  }
}
