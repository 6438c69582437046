/** A code as it is read aloud: `123456` as `123 456`; one that has its own groups is left as it is. */
export function groupCode(code: string): string {
  if (!/^[0-9A-Za-z]{5,12}$/.test(code)) return code;
  const size = code.length % 4 === 0 ? 4 : 3;
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join(' ') ?? code;
}
