// C0 and C1 controls, bidi controls, zero-width and other invisible characters, lone surrogates.
const HOSTILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/**
 * Text of the judged peer, safe to print: what could steer a terminal or mislead a reader is shown as
 * `\u001b`, line breaks become spaces, and it ends after `limit` characters.
 */
export function plainText(text: string, limit = 400): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.replace(/\r?\n|\t/g, ' ').replace(HOSTILE, escaped);
}

/** The same, with its line breaks. */
export function plainLines(text: string, limit = 4096): string {
  return (text.length > limit ? `${text.slice(0, limit)}…` : text)
    .split(/\r?\n/)
    .map((line) => plainText(line, limit))
    .join('\n');
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
