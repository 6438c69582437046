import { createHash } from 'node:crypto';

/** Text that no compression makes short: an index of PostgreSQL holds about 2,700 bytes. */
export function longText(length: number): string {
  let text = '';
  while (text.length < length) text += createHash('sha512').update(text).digest('base64url');
  return text.slice(0, length);
}

/** What a stranger may send wherever a text is expected. */
export const HOSTILE_TEXTS: readonly string[] = [
  longText(513),
  longText(3_000),
  longText(9_000),
  '𝄞é漢'.repeat(300),
  'a\0b',
  '\0',
  '\ud800',
  'a\udc00',
  '\u202e\u200b\ufeff',
  "' OR 1=1 --",
  '%00%ff\\x00',
  '\\',
  ' ',
  '\t\r\n',
  '9'.repeat(400),
  '-1',
  '1e999',
  '__proto__',
  'constructor',
  '{"a":1}',
  '<script>',
];

/** The same, where only texts with a beginning and an end of some kind get further. */
export function withHostile(make: (text: string) => string): readonly string[] {
  return HOSTILE_TEXTS.map((text) => make(text));
}
