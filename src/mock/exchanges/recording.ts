import {
  type Exchange,
  type ExchangeMessage,
  NO_BODY,
  type Receiver,
  type Recorded,
  type Redactor,
  type SeenBody,
  seenBody,
  showBody,
} from '../../exchanges/index.ts';
import type { Log } from '../../runtime/index.ts';
import { headersOf, type PlainReply } from '../http/index.ts';
import { type KeptHeaders, keptHeaders, lengthOf } from './kept-headers.ts';

/** About how long an exchange is beside its bodies, headers and URL, in characters. */
const FRAME_LENGTH = 1_000;

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
  readonly headers: KeptHeaders;
  readonly body: SeenBody;
}

export interface SeenAnswer {
  /** `null`: there was none. */
  readonly status: number | null;
  readonly headers: KeptHeaders;
  readonly body: SeenBody;
}

/**
 * All that is kept of an exchange until somebody reads it: its request as a whole would keep the connection,
 * too. There are many, so it is few objects.
 */
export class Recording implements Recorded {
  readonly length: number;
  readonly #place: RecordingPlace;
  readonly #request: SeenRequest;
  readonly #answer: PlainReply | SeenAnswer;

  constructor(place: RecordingPlace, request: SeenRequest, answer: PlainReply | SeenAnswer) {
    this.#place = place;
    this.#request = request;
    this.#answer = answer;
    const { body, headers, url } = request;
    const bodies = body.kept + ('text' in answer ? (answer.text?.length ?? 0) : answer.body.kept);
    const ofHeaders = lengthOf(headers) + lengthOf(answer.headers);
    this.length = FRAME_LENGTH + url.length + ofHeaders + bodies;
  }

  get to(): Receiver {
    return this.#place.to;
  }

  /** The rest of the list is more important than one exchange. The message of an error could quote it. */
  redact(): Omit<Exchange, 'seq'> | undefined {
    try {
      return this.#draft();
    } catch (error) {
      this.#place.report.warn('exchanges.unrecorded', {
        name: error instanceof Error ? error.name : typeof error,
      });
      return undefined;
    }
  }

  #draft(): Omit<Exchange, 'seq'> {
    const { redactor, to } = this.#place;
    const { at, body, duration, headers, method, url } = this.#request;
    const answer = seenAnswer(this.#answer);
    return {
      to,
      at,
      duration,
      method,
      // First what the mock gives out: its secrets are then known in the request, too.
      response: message(redactor, keptHeaders(answer.headers), answer.body, true),
      url: redactor.url(url),
      path: redactor.url(new URL(url).pathname),
      request: message(redactor, keptHeaders(headers), body, false),
      status: answer.status,
    };
  }
}

function seenAnswer(answer: PlainReply | SeenAnswer): SeenAnswer {
  if (!('text' in answer)) return answer;
  const { status, text } = answer;
  return { status, headers: headersOf(answer), body: text === null ? NO_BODY : seenBody(text) };
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
