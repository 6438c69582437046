/** Lines of one height, of which those alone are made that can be seen, and some around them. */
export interface Scrolled {
  readonly top: number;
  /** Of what can be seen. */
  readonly height: number;
  /** Of a line. */
  readonly line: number;
}

/** So many lines are made before and behind what can be seen. */
export const AROUND = 12;

/** @returns the first line that is made, and the one behind the last. */
export function windowOf(
  { height, line, top }: Scrolled,
  count: number,
): { readonly begin: number; readonly end: number } {
  const begin = Math.floor(Math.max(0, top) / line) - AROUND;
  const end = Math.ceil((Math.max(0, top) + height) / line) + AROUND;
  const last = Math.min(count, Math.max(0, end));
  return { begin: Math.min(last, Math.max(0, begin)), end: last };
}

/** Whether the last line is seen: then the newest is followed. */
export function isAtEnd({ height, line, top }: Scrolled, count: number): boolean {
  return top + height >= count * line - line / 2;
}

/** What the reader looks at: a line, and how much of it is above the edge. */
export interface Anchor {
  readonly key: number;
  readonly above: number;
}

interface Keyed {
  readonly key: number;
}

export function anchorOf({ line, top }: Scrolled, rows: readonly Keyed[]): Anchor | undefined {
  const index = Math.max(0, Math.floor(top / line));
  const row = rows[index];
  return row === undefined ? undefined : { key: row.key, above: top - index * line };
}

/** Where to scroll to, so that the reader still looks at the same after lines went or came before it. */
export function topOf({ above, key }: Anchor, line: number, rows: readonly Keyed[]): number {
  return indexOfKey(rows, key) * line + above;
}

/** Of the line, or where it is gone of the first that came after it. */
export function indexOfKey(rows: readonly Keyed[], key: number): number {
  const same = rows.findIndex((row) => row.key === key);
  const index = same === -1 ? rows.findIndex((row) => row.key > key) : same;
  return index === -1 ? rows.length : index;
}

/** Where to scroll to so that a line is seen whole; undefined where it is. */
export function topFor(index: number, { height, line, top }: Scrolled): number | undefined {
  if (index * line < top) return index * line;
  if ((index + 1) * line > top + height) return (index + 1) * line - height;
  return undefined;
}
