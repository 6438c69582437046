/** A text as one word of a POSIX shell: a path may have `$`, `'` and more (RFC 3986 §3.3). */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
