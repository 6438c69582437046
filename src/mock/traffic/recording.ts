import type { Log, LogFields } from '../../runtime/ports.ts';
import type { Exchange, ExchangeMessage, ExchangeNote, Receiver } from '../../traffic/exchange.ts';
import type { Recorded } from '../../traffic/exchange-log.ts';
import type { Redactor } from '../../traffic/redactor.ts';
import type { SeenBody } from '../../traffic/seen-body.ts';
import { showBody } from '../../traffic/show-body.ts';
import type { SeenAnswer } from '../http/limited-server.ts';

/** About how long an exchange is beside its bodies, its URL and the headers that were sent, in characters. */
const FRAME_LENGTH = 1_000;

/**
 * The answer and the rest of the list are more important than one exchange.
 * The message of an error could quote it.
 */
export function orUnrecorded<T>(report: Log, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    report.warn('exchanges.unrecorded', { name });
    return undefined;
  }
}

/** What is the same for all exchanges of a mock. */
export interface RecordingPlace {
  readonly to: Receiver;
  readonly redactor: Redactor;
  /** Where it is told that an exchange could not be recorded. */
  readonly report: Log;
}

/** A request as far as it was seen, and when. */
export interface SeenRequest {
  readonly at: number;
  readonly duration: number;
  readonly method: string;
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: SeenBody;
  /** What the mock said of it meanwhile. */
  readonly notes: readonly ExchangeNote[];
}

/**
 * All that is kept of an exchange until somebody reads it: its request as a whole would keep the connection,
 * too. There are many, so it is few objects.
 */
export class Recording implements Recorded {
  readonly length: number;
  readonly #place: RecordingPlace;
  readonly #request: SeenRequest;
  readonly #answer: SeenAnswer;

  constructor(place: RecordingPlace, request: SeenRequest, answer: SeenAnswer) {
    this.#place = place;
    this.#request = request;
    this.#answer = answer;
    this.length = FRAME_LENGTH + lengthOf(request) + answer.body.kept;
  }

  get to(): Receiver {
    return this.#place.to;
  }

  redact(): Omit<Exchange, 'seq'> | undefined {
    return orUnrecorded(this.#place.report, () => this.#draft());
  }

  #draft(): Omit<Exchange, 'seq'> {
    const { redactor, to } = this.#place;
    const { at, duration, method, notes, url } = this.#request;
    const { status, ...answer } = this.#answer;
    return {
      to,
      at,
      duration,
      method,
      // First what the mock gives out: its secrets are then known in the request, too.
      response: message(redactor, answeredHeaders(answer.headers), answer.body, true),
      url: redactor.url(url),
      path: redactor.url(new URL(url).pathname),
      request: message(redactor, sentHeaders(this.#request.headers), this.#request.body, false),
      status,
      ...(notes.length > 0 && { notes: notes.map((note) => redacted(note, redactor)) }),
    };
  }
}

function redacted({ event, fields }: ExchangeNote, redactor: Redactor): ExchangeNote {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? redactor.text(value) : value,
  ]);
  return { event, fields: Object.fromEntries(shown) };
}

function lengthOf({ body, headers, url }: SeenRequest): number {
  let length = url.length + body.kept;
  for (const text of headers) length += text.length;
  return length;
}

function sentHeaders(list: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < list.length; at += 2) headers.append(list[at] ?? '', list[at + 1] ?? '');
  return headers;
}

function answeredHeaders(byName: SeenAnswer['headers']): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(byName)) {
    for (const value of [values ?? []].flat()) headers.append(name, `${value}`);
  }
  return headers;
}

/** @param issued whether the mock sent it. */
function message(
  redactor: Redactor,
  headers: Headers,
  body: SeenBody,
  issued: boolean,
): ExchangeMessage {
  const shown = redactor.headers(headers, issued);
  return { headers: shown, ...showBody(body, headers, redactor, issued) };
}

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
