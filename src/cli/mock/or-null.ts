/** Commander takes null for no value, so it stays a word here. */
export type OrNull<T> = T | 'null';

export function orNull<T>(typed: OrNull<T>): T | null {
  return typed === 'null' ? null : typed;
}
