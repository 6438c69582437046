// Control, format (bidi, zero-width, tags) and invisible characters, line separators, lone surrogates.
const HOSTILE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text of the judged peer, safe to print: what could control a terminal or mislead a reader is shown as
 * `\u001b`, line breaks become spaces, and it ends after `limit` characters.
 */
export function plainText(text: string, limit = 400): string {
  return cut(text, limit)
    .replace(/\r?\n|\t/g, ' ')
    .replace(HOSTILE, escaped);
}

/** The same, with its line breaks. */
export function plainLines(text: string, limit = 4096): string {
  return cut(text, limit)
    .split(/\r?\n/)
    .map((line) => plainText(line, limit + 1))
    .join('\n');
}

/** Between two characters: half of a surrogate pair would be taken for a lone one. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
