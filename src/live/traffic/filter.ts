import type { LiveChange, LiveExchange } from '../../mock/live/model.ts';
import { hasWords } from '../parts/texts.ts';
import { isPageFile, isTrouble } from '../parts/tone.ts';
import type { Actor, Filter } from '../state/view-state.ts';
import type { ChangeWords } from './change-words.ts';

export function isFiltering({ party, registration, text, troubleOnly }: Filter): boolean {
  return text.trim() !== '' || party !== null || registration !== null || troubleOnly;
}

/** Whether one is wanted that is about a registration or none. @param shown what a reader sees of it. */
function fits(
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
    ...[method, path, status ?? 'no answer', meaning, step.replaceAll('_', ' '), step],
    ...[from, to, state, id],
    ...notes.map(({ event }) => event),
    ...findings.flatMap(({ also, message, requirement }) => [requirement, ...also, message]),
  ]);
}

/** Whether a change by a control is wanted. */
export function matchesChange(
  filter: Filter,
  { registration_id: id, role }: LiveChange,
  { done, lane, meaning }: ChangeWords,
): boolean {
  const shown = ['control', done, meaning, lane, role, id];
  return !filter.troubleOnly && fits(filter, [lane, role], id, shown);
}
