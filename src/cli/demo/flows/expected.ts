import type { Ceremony, TypeThereCeremony } from '../../../agent/model.ts';

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

/** A code for the user to type on a page. @throws Error for any other ceremony: the demo's mock has none. */
export function codeToType(ceremony: Ceremony): TypeThereCeremony {
  if (ceremony.kind === 'type_there') return ceremony;
  throw new Error('The demo expected a code for the user to type.');
}
