/** Whether a string can be stored and compared faithfully: no U+0000 and no unpaired surrogate (wire contract §3). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The longest text of a stranger that is stored or looked up, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 512;

/** Whether a text is short enough to be stored: the indexes of a database end at about 2,700 bytes. */
export function isShortText(text: string): boolean {
  if (text.length > MAX_TEXT_BYTES) return false;
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 <= MAX_TEXT_BYTES) return true;
  return new TextEncoder().encode(text).length <= MAX_TEXT_BYTES;
}

// C0, C1 and DEL; bidi controls and isolates; zero-width and invisible formatting; line separators;
// tags and variation selectors; joiners, fillers and blanks that no reader sees.
const HOSTILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u115f\u1160\u2800\u3164]|\u034f|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/gu;

// Escape sequences go as a whole, so that their parameters do not stay behind as text.
const ESCAPE_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;

/**
 * Text from a peer, made safe for a terminal or a log line: no escape, control, bidi or invisible
 * characters, at most `maxLength` characters.
 */
export function displayText(text: string, maxLength = 300): string {
  const clean = text
    .replace(ESCAPE_SEQUENCE, '')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(HOSTILE, '')
    .toWellFormed();
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean;
}

/** A URL or a word from a peer, made safe as {@link displayText} does: it stays one word, as URLs are written. */
export function displayWord(text: string, maxLength: number): string {
  return displayText(text, maxLength).replace(/\s/gu, '%20');
}

/** A text of several lines from a peer, each made safe as {@link displayText} does; none is cut. */
export function displayLines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => displayText(line.replaceAll('\t', '    '), Number.POSITIVE_INFINITY))
    .join('\n')
    .trimEnd();
}

/**
 * A surrogate without its other half, as `JSON.stringify` writes it: no Unicode, which readers refuse (RFC 8259 §8.2).
 */
const UNPAIRED = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/**
 * JSON of `JSON.stringify` for a terminal, a file or a program: what {@link displayText} drops stands in it as `\u`
 * escapes, and U+FFFD in the place of what is no Unicode.
 */
export function displayJson(json: string): string {
  return json.replace(UNPAIRED, '$1\\ufffd').replace(HOSTILE, (character) => {
    // JSON has a line break as an escape, but between its members.
    if (character === '\n') return character;
    return Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join('');
  });
}

/** A description that may travel in `error_description` and in a header (RFC 6749 §5.2: no quotes, no backslash). */
export function wireText(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
