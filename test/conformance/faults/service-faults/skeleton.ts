/** Letters that look like a Latin one, by that one (UTS #39). */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435',
  g: '\u0261',
  h: '\u04bb',
  i: '\u0456\u03b9\u0131',
  j: '\u0458\u03f3',
  k: '\u043a\u03ba',
  l: '\u04cf',
  m: '\u043c',
  n: '\u03b7\u0578',
  o: '\u043e\u03bf\u0585',
  p: '\u0440\u03c1',
  q: '\u051b',
  s: '\u0455',
  t: '\u0442\u03c4',
  u: '\u03c5\u057d',
  v: '\u03bd\u0475',
  w: '\u051d\u0461',
  x: '\u0445\u03c7',
  y: '\u0443\u03b3',
};

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
);

/** One text of all that look the same, as whoever hunts for look-alikes makes it. */
export function skeleton(text: string): string {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return [...plain].map((letter) => LATIN.get(letter) ?? letter).join('');
}
