import { nodeCrypto } from './system-crypto.ts';

/** SHA-256 of a text, base64url: how secrets are stored (wire contract §4). */
export function sha256(text: string): string {
  return nodeCrypto().hash('sha256', text, 'base64url');
}

/** SHA-256 of a text, in bytes (FIPS 180-4). */
export function sha256Bytes(text: string): Uint8Array {
  return nodeCrypto().hash('sha256', text, 'buffer');
}

/** HMAC-SHA-256 of a text under a key, base64url. */
export function hmacSha256(key: string, text: string): string {
  return nodeCrypto().createHmac('sha256', key).update(text).digest('base64url');
}

/** Compares two texts in a time that tells only whether their lengths differ. */
export function constantTimeEqual(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && nodeCrypto().timingSafeEqual(a, b);
}
