import type { Random } from './ports.ts';

/** 160 bits, base64url: no token is guessed (RFC 6749 §10.10). */
const TOKEN_BYTES = 20;

/** A fresh identifier or token: `prefix` and 160 random bits. */
export function randomToken(random: Random, prefix: string): string {
  return prefix + Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}

/** `length` decimal digits, each equally likely; leading zeros occur. */
export function randomDigits(random: Random, length: number): string {
  return randomCharacters(random, '0123456789', length);
}

/** `length` characters of an alphabet of at most 256, each equally likely. */
export function randomCharacters(random: Random, alphabet: string, length: number): string {
  // The largest multiple of the alphabet in a byte; beyond it some characters would be favoured.
  const fair = 256 - (256 % alphabet.length);
  let characters = '';
  while (characters.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < fair && characters.length < length) characters += alphabet[byte % alphabet.length];
    }
  }
  return characters;
}
