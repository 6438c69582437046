/** `123 456`: how a code is shown to users. Codes of other lengths are grouped by three or four. */
export function displayUserCode(code: string): string {
  if (!/^[0-9A-Za-z]+$/.test(code)) return code;
  const size = code.length % 3 === 0 ? 3 : 4;
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join(' ') ?? code;
}

/** What a user typed, without the spaces and dashes that a page ignores (RFC 8628 §6.1). */
export function normalizeUserCode(typed: string): string {
  return typed.replace(/[\s-]/g, '');
}
