import type { Clock, Log } from '../../runtime/index.ts';
import { answerTo, type FetchHandler, pathOf, Reply } from '../http/index.ts';
import type { ExchangeMessage, ExchangeMock } from './exchange.ts';
import type { ExchangeLog, Recorded } from './exchange-log.ts';
import { headersOf, type KeptHeaders, lengthOf } from './kept-headers.ts';
import type { Redactor } from './redactor.ts';
import { NO_BODY, type SeenBody, seenBody } from './seen-body.ts';
import { showBody } from './show-body.ts';
import { TappedBody, turns } from './tapped-body.ts';
import { watchRequest } from './watch-request.ts';

/** About how long an exchange is beside its bodies, headers and URL, in characters. */
const FRAME_LENGTH = 1_000;

interface RecordingOptions {
  readonly mock: ExchangeMock;
  readonly log: ExchangeLog;
  /** The mock's. */
  readonly clock: Clock;
  /** Of the machine; the mock's clock may be moved while a request runs. */
  readonly machineClock: Clock;
  /** Where it is told that an exchange could not be recorded. */
  readonly report: Log;
  /** What is no exchange of the mock's: its controls. */
  readonly isOutside: (path: string) => boolean;
}

/**
 * The application, each exchange with it noted in the log before its caller sees the answer. The answer
 * stays as it was: bodies are looked at as they flow by, and nobody waits for one.
 */
export function recordExchanges(handler: FetchHandler, options: RecordingOptions): FetchHandler {
  const { clock, isOutside, log, machineClock, mock, report } = options;
  const unrecorded: FetchHandler = async (request) => answerTo(request, await handler(request));
  if (log.kept === 0) return unrecorded;
  return async (request) => {
    if (isOutside(pathOf(request.url))) return unrecorded(request);
    const at = clock.now();
    const begin = machineClock.now();
    const watched = watchRequest(request);
    const record = (answer: Answer): Promise<void> | undefined => {
      const { method, url } = request;
      const duration = machineClock.now() - begin;
      const body = watched.body();
      const seen = { mock, at, duration, method, url, asked: watched.headers, body, ...answer };
      const add = () => {
        const seq = log.add(noted(seen, log.redactor, report));
        if (body.isWhole && answer.answer.isWhole) return;
        void Promise.all([settled(body), settled(answer.answer)]).then(() => {
          log.complete(seq, noted(seen, log.redactor, report));
        });
      };
      if (!(body instanceof TappedBody) || body.isRead || body.isMissing) {
        add();
        return undefined;
      }
      void body.drain();
      return Promise.race([body.settled, turns()]).then(add);
    };
    let response: Response;
    try {
      response = await handler(watched.sent);
    } catch (error) {
      await record({ status: null, answered: {}, answer: NO_BODY });
      throw error;
    }
    const plain = response instanceof Reply ? response.plain : undefined;
    if (plain !== undefined) {
      const { headers: answered, status, text } = plain;
      const pending = record({
        status,
        answered,
        answer: text === null ? NO_BODY : seenBody(text),
      });
      if (pending !== undefined) await pending;
      return answerTo(request, response);
    }
    const answer = new TappedBody(response.body);
    const copy = answer.isMissing ? response : withBody(response, await answer.takeAtOnce());
    // A copy: whoever has the answer may change its headers.
    await record({ status: copy.status, answered: new Headers(copy.headers), answer });
    return answerTo(request, copy);
  };
}

interface Answer {
  readonly status: number | null;
  readonly answered: KeptHeaders;
  readonly answer: SeenBody | TappedBody;
}

/** All that is kept of an exchange: its request as a whole would keep the connection, too. */
interface Seen extends Answer {
  readonly mock: ExchangeMock;
  readonly at: number;
  readonly duration: number;
  readonly method: string;
  readonly url: string;
  readonly asked: KeptHeaders;
  readonly body: SeenBody;
}

/** Outside of what has the request at hand, so that no function here keeps it. */
function noted(seen: Seen, redactor: Redactor, report: Log): Recorded {
  const { answer, answered, asked, at, body, duration, method, mock, status, url } = seen;
  const draft = () => ({
    mock,
    at,
    duration,
    method,
    // First what the mock gives out: its secrets are then known in the request, too.
    response: message(redactor, headersOf(answered), answer, true),
    url: redactor.url(url),
    path: redactor.url(new URL(url).pathname),
    request: message(redactor, headersOf(asked), body, false),
    status,
  });
  const bodies = body.kept + answer.kept;
  return {
    mock,
    length: FRAME_LENGTH + url.length + lengthOf(asked) + lengthOf(answered) + bodies,
    redact: () => orReport(draft, report),
  };
}

/** Resolves when no more will come by of a body. */
function settled(body: SeenBody | TappedBody): Promise<void> | undefined {
  return body instanceof TappedBody ? body.settled : undefined;
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

/** The rest of the list is more important than one exchange. The message could quote it. */
function orReport<T>(draft: () => T, report: Log): T | undefined {
  try {
    return draft();
  } catch (error) {
    report.warn('exchanges.unrecorded', {
      name: error instanceof Error ? error.name : typeof error,
    });
    return undefined;
  }
}

function withBody(
  { headers, status, statusText }: Response,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  return new Response(body, { headers, status, statusText });
}
