/** A line of JSON as it is laid out. */
export interface JsonLine {
  readonly depth: number;
  /** Of the member, as it is; undefined within a list. */
  readonly name?: string;
  readonly value: JsonValue;
}

export type JsonValue =
  /** A brace or bracket, a comma behind it where one belongs. */
  | { readonly kind: 'mark'; readonly text: string }
  | { readonly kind: 'text' | 'secret'; readonly text: string; readonly isLast: boolean }
  | { readonly kind: 'plain'; readonly text: string; readonly isLast: boolean };

/** No more lines than this are made. */
const MOST = 5_000;
const DEEPEST = 60;

/** A body, line by line; a fingerprint is told apart from other text. */
export function jsonLines(value: unknown): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  write(lines, value, 0, undefined, true);
  return lines;
}

function write(
  lines: JsonLine[],
  value: unknown,
  depth: number,
  name: string | undefined,
  isLast: boolean,
): void {
  if (lines.length >= MOST) return;
  const named = name === undefined ? {} : { name };
  if (typeof value !== 'object' || value === null || depth > DEEPEST) {
    lines.push({ depth, ...named, value: leaf(value, isLast) });
    return;
  }
  const isList = Array.isArray(value);
  const members: readonly [string | undefined, unknown][] = isList
    ? value.map((each: unknown) => [undefined, each])
    : Object.entries(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const comma = isLast ? '' : ',';
  if (members.length === 0) {
    lines.push({ depth, ...named, value: { kind: 'mark', text: `${open}${close}${comma}` } });
    return;
  }
  lines.push({ depth, ...named, value: { kind: 'mark', text: open } });
  members.forEach(([key, each], index) => {
    write(lines, each, depth + 1, key, index === members.length - 1);
  });
  if (lines.length < MOST) lines.push({ depth, value: { kind: 'mark', text: `${close}${comma}` } });
}

function leaf(value: unknown, isLast: boolean): JsonValue {
  if (typeof value === 'string') {
    return { kind: isFingerprint(value) ? 'secret' : 'text', text: value, isLast };
  }
  const text = typeof value === 'object' && value !== null ? '…' : String(value);
  return { kind: 'plain', text, isLast };
}

/** What stands for a secret that is not shown. */
export function isFingerprint(text: string): boolean {
  return /^\S*secret~[\w-]+$/.test(text);
}
