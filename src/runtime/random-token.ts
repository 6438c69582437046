import type { Random } from './ports.ts';

/** 160 bits, base64url: no token is guessed (RFC 6749 §10.10). */
const TOKEN_BYTES = 20;

/** A fresh identifier or token: `prefix` and 160 random bits. */
export function randomToken(random: Random, prefix: string): string {
  return prefix + Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}

/** `length` decimal digits, each equally likely; leading zeros occur. */
export function randomDigits(random: Random, length: number): string {
  let digits = '';
  while (digits.length < length) {
    for (const byte of random.bytes(length * 2)) {
      // 250 is the largest multiple of ten in a byte; beyond it low digits would be favoured.
      if (byte < 250 && digits.length < length) digits += String(byte % 10);
    }
  }
  return digits;
}
