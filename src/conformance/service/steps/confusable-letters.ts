import type { Invented } from '../../engine/invented.ts';

/** Latin letters → the Cyrillic ones that look the same (UTS 39, confusables). */
const CYRILLIC: Readonly<Record<string, string>> = {
  a: '\u0430',
  c: '\u0441',
  e: '\u0435',
  o: '\u043e',
  p: '\u0440',
  x: '\u0445',
  y: '\u0443',
};

/** Letters that upper or lower case, or a database without accents, makes plain ones of (UTS 36 §3.2). */
const FOLDED: Readonly<Record<string, string>> = {
  i: '\u0131',
  k: '\u212a',
  o: '\u00f3',
  s: '\u017f',
};

/** Texts with one letter in turn from which case or accents make the plain one; none where it has no such letter. */
export function folding(text: string): readonly string[] {
  return Object.entries(FOLDED)
    .filter(([letter]) => text.includes(letter))
    .map(([letter, other]) => text.replace(letter, other));
}

/** The text with one letter in Cyrillic; unchanged when none has a Cyrillic twin. */
export function withCyrillic(text: string, invented: Invented): string {
  return withOne(text, invented, (letter) => CYRILLIC[letter]);
}

/** The text with one full-width letter, which NFKC maps to the plain one. */
export function withFullWidth(text: string, invented: Invented): string {
  return withOne(text, invented, (letter) =>
    /[a-z]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : undefined,
  );
}

function withOne(
  text: string,
  invented: Invented,
  change: (letter: string) => string | undefined,
): string {
  const [first, ...more] = [...text].flatMap((letter, at) =>
    change(letter) === undefined ? [] : [at],
  );
  if (first === undefined) return text;
  const at = invented.pick([first, ...more]);
  return `${text.slice(0, at)}${change(text.charAt(at))}${text.slice(at + 1)}`;
}
