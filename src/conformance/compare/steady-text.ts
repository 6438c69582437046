/**
 * What differs from run to run has one form: redaction marks, times, emails, random words, and where on this
 * machine something listened. What is left is what an implementation chose.
 */
export function steadyText(text: string, target: string): string {
  return text
    .replaceAll(originOf(target), '‹target›')
    .replace(/https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?/g, '‹origin›')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '‹time›')
    .replace(/[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/g, '‹email›')
    .replace(/‹[0-9a-f]{8}›/g, '‹…›')
    .replace(/[\w-]{6,}/g, (word) => (isRandom(word) ? '‹…›' : word));
}

/** A target may be a command line. */
function originOf(target: string): string {
  return URL.canParse(target) ? new URL(target).origin : target;
}

/** Whether a text says nothing that could be compared. */
export function isVolatile(steady: string): boolean {
  return /^(?:‹[^›]*›|[\s\-_.:/,])+$/.test(steady);
}

/** Digits among letters, or capitals within: `reg_miIla52py5Tz`, `6f1c2d3e`; never `camelCase` or `api_v2`. */
function isRandom(word: string): boolean {
  const tail = word.replace(/^[a-z]{2,8}[_-](?=[\w-]{8,}$)/, '');
  if (/^[0-9a-f-]{8,}$/.test(tail)) return /\d/.test(tail) && !/^\d{1,9}$/.test(tail);
  if (tail.length < 10) return false;
  const switches = tail.match(/[a-zA-Z]\d|\d[a-zA-Z]|[a-z][A-Z][a-z]*[A-Z]/g) ?? [];
  return switches.length >= 2;
}
