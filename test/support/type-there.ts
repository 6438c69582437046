/** A ceremony, or an attempt, of the kind whose code the user types on a page. */
export function typeThere<T extends { readonly kind: string }>(
  given: T | null | undefined,
): Extract<T, { readonly kind: 'type_there' }> {
  if (given?.kind !== 'type_there') throw new Error(`Expected type_there, got ${given?.kind}.`);
  return given as Extract<T, { readonly kind: 'type_there' }>;
}
