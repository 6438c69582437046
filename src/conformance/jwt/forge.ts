import { type KeyObject, sign } from 'node:crypto';
import { type JwtAlgorithm, SIGNING, type TestKey } from './key.ts';

/** JSON members, or the raw text of the part. */
export type JwtPart = Readonly<Record<string, unknown>> | string;

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
