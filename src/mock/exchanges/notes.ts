import type { ExchangeNote } from '../../exchanges/exchange.ts';
import type { Log, LogFields } from '../../runtime/ports.ts';

/** Nobody else's member: cheaper than a `WeakMap`, for each request. */
const NOTES = Symbol('notes');

interface Noted {
  [NOTES]?: ExchangeNote[];
}

/** Tells the log of a request, and the record of its exchange: whoever sent it is told nothing of it. */
export function note(request: Request & Noted, log: Log, event: string, fields: LogFields): void {
  log.info(event, fields);
  const notes = request[NOTES] ?? [];
  notes.push({ event, fields });
  request[NOTES] = notes;
}

const NONE: readonly ExchangeNote[] = [];

/** What was noted of a request so far. */
export function notesOf(request: Request & Noted): readonly ExchangeNote[] {
  return request[NOTES] ?? NONE;
}
