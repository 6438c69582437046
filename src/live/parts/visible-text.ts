/**
 * What would not be seen, or would turn the direction of what follows: controls, marks and overrides of
 * direction, characters without width, invisible tags. Joiners are left, which scripts need.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** A stranger's text as text: what cannot be seen is written out, as `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`);
}

/** The same in one line: as long as needed, and no longer. */
export function visibleLine(text: string, most: number): string {
  const line = visibleText(text.slice(0, most * 2).replace(/\s+/g, ' ')).trim();
  const letters = [...line];
  return letters.length > most || text.length > most * 2
    ? `${letters.slice(0, most).join('')}…`
    : line;
}
