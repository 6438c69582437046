import { normalizeUserCode } from '../../protocol/index.ts';
import { hmacSha256, type Random } from '../../runtime/index.ts';

/** RFC 8628 §6.1: no vowels, so no words; no digits, so nothing to mistake for a letter. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
/** The largest multiple of the alphabet in a byte; beyond it some letters would be favoured. */
const FAIR = 240;

/** Eight letters, 34.6 bits, to be typed by a user. */
export function randomUserCode(random: Random): string {
  let code = '';
  while (code.length < LENGTH) {
    for (const byte of random.bytes(LENGTH * 2)) {
      if (byte < FAIR && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}

/** `WDJB-MJHT`. */
export function displayDeviceCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** What a user typed, as a code; `undefined` when it is none. */
export function readTypedCode(typed: string | undefined): string | undefined {
  const code = normalizeUserCode(typed ?? '').toUpperCase();
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code) ? code : undefined;
}

/** How a code is stored: it is too short for a hash without a key. */
export function userCodeHmac(key: string, code: string): string {
  return hmacSha256(key, code);
}
