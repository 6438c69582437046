import type { Ceremony, TypeThereCeremony } from '../../../agent/model.ts';

/** A code for the user to type on a page. @throws Error for any other ceremony: the demo's mock has none. */
export function codeToType(ceremony: Ceremony): TypeThereCeremony {
  if (ceremony.kind === 'type_there') return ceremony;
  throw new Error('The demo expected a code for the user to type.');
}
