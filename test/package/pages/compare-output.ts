import { isDeepStrictEqual } from 'node:util';

/** What differs from run to run, and what stands for it. In this order. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<jwt>'],
  [/\b[a-z]{2,10}~[\w-]{4,}/g, '<fingerprint>'],
  [/\b(ticket=)[\w-]+/g, '$1…'],
  [/(?<![\w-])(reg|cat|cla|clm|at|rt|ctl|ias)_(?=[\w-]*[A-Z\d])[\w-]{16,}/g, '$1_…'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uuid>'],
  [/\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)?)?/g, '<time>'],
  [/\b\d\d:\d\d:\d\d\b/g, '<time>'],
  [/\b1[789]\d{8}(\d{3})?\b/g, '<time>'],
  [/\b\d+(\.\d+)? ?(days?|hours?|minutes?|seconds?|ms|s|min)\b( and)?/g, '<span>'],
  [/<span>([ ,]+<span>)+/g, '<span>'],
  [/\b\d{3} \d{3}\b/g, '<code>'],
  [/\b(Code|code|user_code"?:?) +"?\d{6}\b"?/g, '$1 <code>'],
  [/(?<=[\w\]]:)[1-6]\d{4}\b/g, '<port>'],
  [/(?<![\w-])(?=[\w-]*[A-Z\d])[\w-]{22,}/g, '<random>'],
  [/\b\d+ bytes\b/g, '<size>'],
  [/[ \t]+/g, ' '],
];

/** A line as it is compared: its words, and patterns for the rest. */
export function mask(line: string): string {
  return VARYING.reduce((text, [pattern, name]) => text.replace(pattern, name), line).trim();
}

/**
 * Whether `shown` stands in `printed`: its lines one after the other, in one piece. A line of `…` leaves lines out,
 * an `…` within a line the rest of a word or a sentence; empty lines count for nothing.
 * @returns the first line that is missing, or undefined.
 */
export function missingLine(shown: string, printed: string): string | undefined {
  const pieces = piecesOf(linesOf(shown));
  if (pieces.length === 0) return 'a line at all';
  const lines = linesOf(printed);
  let from = 0;
  for (const piece of pieces) {
    const { end, missing } = find(piece, lines, from);
    if (end === undefined) return missing;
    from = end;
  }
  return undefined;
}

/** Where a piece ends in the lines, or which of its lines the best place lacks. */
function find(piece: readonly string[], lines: readonly string[], from: number) {
  const patterns = piece.map(pattern);
  let most = 0;
  for (let at = from; at < lines.length; at += 1) {
    const differs = patterns.findIndex((each, index) => !each.test(lines[at + index] ?? ''));
    if (differs === -1) return { end: at + piece.length };
    most = Math.max(most, differs);
  }
  return { missing: piece[most] };
}

function pattern(line: string): RegExp {
  const words = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${words.join('.*')}$`, 'u');
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map(mask)
    .filter((line) => line !== '');
}

function piecesOf(lines: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [[]];
  for (const line of lines) {
    if (line === '…' || line === '...') pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  return pieces.filter((piece) => piece.length > 0);
}

/**
 * Whether one of the JSON documents of an output has what the page shows: each of its members, and no other value
 * but for what varies. A page may leave members out.
 */
export function hasJson(shown: unknown, printed: string): boolean {
  return documentsIn(printed).some((document) => contains(document, shown));
}

/** Members whose values are another each time: durations, counts of what went before, codes. */
const VARYING_MEMBER = /(^|_)(expires_in|ms|seq|timestamp|user_code|port|pid)$/;

function documentsIn(printed: string): readonly unknown[] {
  const lines = printed.split('\n').map((line) => line.trim());
  const starts = lines.flatMap((line, index) => (/^[[{]/.test(line) ? [index] : []));
  const ends = lines.flatMap((line, index) => (/[\]}]$/.test(line) ? [index + 1] : []));
  return starts.flatMap((start) => {
    for (const end of ends.filter((each) => each > start)) {
      try {
        return [JSON.parse(lines.slice(start, end).join('\n'))];
      } catch {
        // Its end is further below.
      }
    }
    return [];
  });
}

function contains(actual: unknown, shown: unknown): boolean {
  if (typeof shown === 'string' && typeof actual === 'string') {
    return pattern(mask(shown)).test(mask(actual));
  }
  if (typeof shown === 'number' && typeof actual === 'number') {
    return mask(String(shown)) === mask(String(actual));
  }
  if (Array.isArray(shown)) {
    return (
      Array.isArray(actual) &&
      shown.length === actual.length &&
      shown.every((each, index) => contains(actual[index], each))
    );
  }
  if (typeof shown === 'object' && shown !== null) {
    return (
      typeof actual === 'object' &&
      actual !== null &&
      Object.entries(shown).every(([name, value]) => {
        const other: unknown = Object(actual)[name];
        return (
          (VARYING_MEMBER.test(name) && typeof other === typeof value) || contains(other, value)
        );
      })
    );
  }
  return isDeepStrictEqual(actual, shown);
}
