import { normalizeUserCode, USER_CODE_LETTERS } from '../../protocol/user-code.ts';
import { hmacSha256 } from '../../runtime/hash.ts';
import type { Random } from '../../runtime/ports.ts';
import { randomCharacters } from '../../runtime/random-token.ts';

const LENGTH = 8;
const CODE = new RegExp(`^[${USER_CODE_LETTERS}]{${LENGTH}}$`);

/** Eight letters, 34.6 bits, to be typed by a user. */
export function randomUserCode(random: Random): string {
  return randomCharacters(random, USER_CODE_LETTERS, LENGTH);
}

/** `WDJB-MJHT`. */
export function displayDeviceCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** What a user typed, as a code; `undefined` when it is none. */
export function readTypedCode(typed: string | undefined): string | undefined {
  const code = normalizeUserCode(typed ?? '');
  return CODE.test(code) ? code : undefined;
}

/** How a code is stored: it is too short for a hash without a key. */
export function userCodeHmac(key: string, code: string): string {
  return hmacSha256(key, code);
}
