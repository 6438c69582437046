/**
 * The most bits that a secret can have, by samples of it: the places that differ between them, times the
 * bits of the characters seen there. A counter or a time has few such places.
 */
export function randomBits(samples: readonly string[]): number {
  const length = Math.min(...samples.map((sample) => sample.length));
  let varying = 0;
  const seen = new Set<string>();
  for (let at = 0; at < length; at += 1) {
    const here = new Set(samples.map((sample) => sample[at] ?? ''));
    if (here.size < 2) continue;
    varying += 1;
    for (const character of here) seen.add(character);
  }
  return varying * Math.log2(alphabetSize([...seen].join('')));
}

function alphabetSize(characters: string): number {
  if (/^\d*$/.test(characters)) return 10;
  if (/^([\da-f]*|[\dA-F]*)$/.test(characters)) return 16;
  if (/^([\da-z]*|[\dA-Z]*)$/.test(characters)) return 36;
  return 64;
}

/**
 * About how many bits must be guessed by somebody who has all tokens but one: places at which the
 * tokens differ, times the bits of a character. Zero when two are the same.
 */
export function bitsToGuess(tokens: readonly string[]): number {
  if (new Set(tokens).size < tokens.length) return 0;
  const length = Math.min(...tokens.map((token) => token.length));
  const perCharacter = Math.log2(tokenAlphabetSize(tokens.join('')));
  let bits = 0;
  for (let at = 0; at < length; at += 1) {
    const characters = new Set(tokens.map((token) => token[at]));
    // Two characters at a place may be a counter's; random tokens have more.
    if (characters.size > 2) bits += perCharacter;
  }
  return bits;
}

function tokenAlphabetSize(text: string): number {
  if (/^[0-9]*$/.test(text)) return 10;
  // Separators and prefixes such as `at_` do not count.
  return /^[0-9a-f]*$/i.test(text.replace(/\W|_|[g-z]{2,}_/g, '')) ? 16 : 62;
}
