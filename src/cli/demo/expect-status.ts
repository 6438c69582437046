/**
 * The demo is a promise about what happens: whatever else happens ends it.
 * @throws Error
 */
export function expectStatus<T extends { readonly status: string }, S extends T['status']>(
  outcome: T,
  status: S,
): Extract<T, { readonly status: S }> {
  if (outcome.status !== status) {
    throw new Error(`The demo expected "${status}" and met "${outcome.status}".`);
  }
  return outcome as Extract<T, { readonly status: S }>;
}
