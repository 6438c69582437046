/** @throws Error for any other outcome than the one that the demo shows at this point. */
export function expectStatus<T extends { readonly status: string }, S extends T['status']>(
  outcome: T,
  status: S,
): Extract<T, { readonly status: S }> {
  if (outcome.status !== status) {
    throw new Error(`The demo expected "${status}" but got "${outcome.status}".`);
  }
  return outcome as Extract<T, { readonly status: S }>;
}
