/** RFC 8628 §6.1: no vowels, so no words; no digits, so nothing to mistake for a letter. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** `123 456`: how a code is shown to users, in groups of three to five. One with separators stays. */
export function displayUserCode(code: string, separator = ' '): string {
  if (!/^[0-9A-Za-z]{6,}$/.test(code)) return code;
  const size = [3, 4, 5].find((each) => code.length % each === 0) ?? 4;
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join(separator) ?? code;
}

/** What a user typed: spaces, dashes and the case of letters do not count (RFC 8628 §6.1). */
export function normalizeUserCode(typed: string): string {
  return typed.replace(/[\s\p{Pd}]/gu, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
