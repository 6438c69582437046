/**
 * About how many bits somebody has to guess who knows all tokens but one: places at which the tokens
 * differ, each with as much as the letters that occur there can carry. Zero when two are the same.
 */
export function guessableBy(tokens: readonly string[]): number {
  if (new Set(tokens).size < tokens.length) return 0;
  const length = Math.min(...tokens.map((token) => token.length));
  const perLetter = Math.log2(alphabetOf(tokens.join('')));
  let bits = 0;
  for (let at = 0; at < length; at += 1) {
    const letters = new Set(tokens.map((token) => token[at]));
    // Two letters at a place may be a counter's; of random ones there are more.
    if (letters.size > 2) bits += perLetter;
  }
  return bits;
}

function alphabetOf(text: string): number {
  if (/^[0-9]*$/.test(text)) return 10;
  // Signs between the parts do not count.
  return /^[0-9a-f]*$/i.test(text.replace(/\W|_|[g-z]{2,}_/g, '')) ? 16 : 62;
}
