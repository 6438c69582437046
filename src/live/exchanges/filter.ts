import type { LiveChange, LiveExchange } from '../../mock/live/model.ts';
import type { Actor } from '../state/view-state.ts';
import type { ChangeWords } from './change-words.ts';
import { isTrouble } from './tone.ts';

/** Which exchanges are wanted. */
export interface Filter {
  /** Each of its words has to be there. */
  readonly text: string;
  /** Who sends or answers; null: anybody. */
  readonly party: Actor | null;
  readonly registration: string | null;
  readonly troubleOnly: boolean;
  /** Also what a browser fetches beside a page. Words that are searched for find it anyway. */
  readonly pageFiles: boolean;
}

export const NO_FILTER: Filter = {
  text: '',
  party: null,
  registration: null,
  troubleOnly: false,
  pageFiles: false,
};

export function isFiltering({ party, registration, text, troubleOnly }: Filter): boolean {
  return text.trim() !== '' || party !== null || registration !== null || troubleOnly;
}

export function matcher(filter: Filter): (exchange: LiveExchange) => boolean {
  const { party, registration, troubleOnly } = filter;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return (exchange) =>
    (party === null || exchange.from === party || exchange.to === party) &&
    (registration === null || exchange.registration_id === registration) &&
    (!troubleOnly || isTrouble(exchange)) &&
    words.every((word) => words.length === 0 || searchable(exchange).includes(word));
}

/** Whether a change by a control is wanted. */
export function matchesChange(
  { party, registration, text, troubleOnly }: Filter,
  { registration_id: id, role }: LiveChange,
  { done, lane, meaning }: ChangeWords,
): boolean {
  const shown = `control ${done} ${meaning} ${lane} ${role} ${id ?? ''}`.toLowerCase();
  return (
    !troubleOnly &&
    (party === null || party === lane || party === role) &&
    (registration === null || registration === id) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => shown.includes(word))
  );
}

const texts = new WeakMap<LiveExchange, string>();

/** What a reader sees of it in the diagram. */
function searchable(exchange: LiveExchange): string {
  const known = texts.get(exchange);
  if (known !== undefined) return known;
  const { findings, from, meaning, method, notes, path, registration_id, state, status, step, to } =
    exchange;
  const text = [
    method,
    path,
    status ?? 'no answer',
    meaning,
    step.replaceAll('_', ' '),
    step,
    from,
    to,
    state,
    registration_id,
    ...notes.map(({ event }) => event),
    ...findings.map(
      ({ also, message, requirement }) => `${[requirement, ...also].join(' ')} ${message}`,
    ),
  ]
    .join(' ')
    .toLowerCase();
  texts.set(exchange, text);
  return text;
}
