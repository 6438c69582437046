/**
 * The most bits that a secret can have, judged by samples of it: the places that differ between them,
 * times the bits of the characters seen there. What counts up, or is a time, has few such places.
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
