/** A value that was typed, or the word `null` for none. */
export type OrNull<T> = T | 'null';

export function orNull<T>(typed: OrNull<T>): T | null {
  return typed === 'null' ? null : typed;
}
