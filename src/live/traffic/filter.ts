import type { LiveExchange } from '../../mock/live/model.ts';
import { asWords, hasWords } from '../parts/texts.ts';
import { isPageFile, isTrouble } from '../parts/tone.ts';
import type { Actor, Filter } from '../state/view-state.ts';

export function isFiltering({ party, registration, text, troubleOnly }: Filter): boolean {
  return text.trim() !== '' || party !== null || registration !== null || troubleOnly;
}

/** Whether one is wanted that is about a registration or none. @param shown what a reader sees of it. */
export function fits(
  { party, registration, text }: Filter,
  parties: readonly Actor[],
  id: string | null,
  shown: readonly unknown[],
): boolean {
  return (
    (party === null || parties.includes(party)) &&
    (registration === null || registration === id) &&
    hasWords(shown.join(' '), text)
  );
}

export function matches(filter: Filter, exchange: LiveExchange): boolean {
  if (filter.troubleOnly && !isTrouble(exchange)) return false;
  if (!filter.pageFiles && filter.text.trim() === '' && isPageFile(exchange)) return false;
  const { findings, from, meaning, method, notes, path, registration_id: id } = exchange;
  const { state, status, step, to } = exchange;
  return fits(filter, [from, to], id, [
    ...[method, path, status ?? 'no answer', meaning, asWords(step), step],
    ...[from, to, state, id],
    ...notes.map(({ event }) => event),
    ...findings.flatMap(({ also, message, requirement }) => [requirement, ...also, message]),
  ]);
}
