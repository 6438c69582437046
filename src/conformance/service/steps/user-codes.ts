const DIGITS = [...'0123456789'];

/** A code without spaces and dashes, which do not count. */
export function plainCode(code: string): string {
  return code.replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Wrong codes like this one. Made of its own characters, because a service may recognise what cannot be
 * a code of its own, and not count it.
 */
export function wrongCodes(code: string, count: number): readonly string[] {
  const own = [...new Set(plainCode(code))];
  const alphabet = own.every((character) => /\d/.test(character)) ? DIGITS : own;
  const places = [...code].flatMap((character, at) =>
    /[\p{L}\p{N}]/u.test(character) ? [at] : [],
  );
  const codes = new Set<string>();
  for (let n = 1; codes.size < count && n < 100 * count; n += 1) {
    const characters = [...code];
    let rest = n;
    for (const at of places.toReversed()) {
      const index = alphabet.indexOf(characters[at] ?? '');
      characters[at] = alphabet[(index + rest) % alphabet.length] ?? '';
      rest = Math.floor(rest / alphabet.length);
    }
    const wrong = characters.join('');
    if (wrong !== code) codes.add(wrong);
  }
  return [...codes];
}

/**
 * A code that is compared as far as what was typed goes, or found by a pattern, falls in a few tries. As numbers 000123
 * and 123 are the same code: such a half is left out.
 */
export function halves(code: string): readonly (readonly [what: string, half: string])[] {
  const plain = plainCode(code);
  const middle = Math.ceil(plain.length / 2);
  const both = [
    ['the first half of the code', plain.slice(0, middle)],
    ['the second half of the code', plain.slice(middle)],
  ] as const;
  return both.filter(([, half]) => half !== '' && Number(half) !== Number(plain));
}

/** The bits with which a few dozen tries are hopeless, even without a limit (RFC 8628 §5.1 has 34.6). */
export const LONG_CODE_BITS = 32;
/** Whose reading allows any number of tries at such a code. */
export const LONG_CODE =
  'RFC 8628 §5.1 lets a code be long instead: this one is not found in any number of tries.';

/** How many bits a code of this length has, when all characters of its kind can occur. */
export function codeBits(code: string): number {
  const plain = plainCode(code);
  const perCharacter = /^\d+$/.test(plain) ? Math.log2(10) : Math.log2(20);
  return plain.length * perCharacter;
}
