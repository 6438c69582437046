import type { Clock, Log } from '../../runtime/index.ts';
import { copyRequest, type FetchHandler } from '../http/index.ts';
import type { ExchangeMessage, ExchangeMock } from './exchange.ts';
import type { ExchangeLog, Recorded } from './exchange-log.ts';
import type { Redactor } from './redactor.ts';
import { showBody } from './show-body.ts';
import { TappedBody, turns } from './tapped-body.ts';

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
  if (log.kept === 0) return handler;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (isOutside(pathname)) return handler(request);
    const at = clock.now();
    const begin = machineClock.now();
    const { sent, tapped } = tapRequest(request);
    const recorded = (
      duration: number,
      response: Response | undefined,
      answer: TappedBody,
    ): Recorded => {
      const { headers: asked, method, url } = request;
      // A copy: whoever has the answer may change its headers.
      const answered = new Headers(response?.headers);
      const status = response?.status ?? null;
      const seen = { mock, at, duration, method, url, asked, tapped, status, answered, answer };
      return noted(seen, log.redactor, report);
    };
    const record = async (response: Response | undefined, answer: TappedBody) => {
      const duration = machineClock.now() - begin;
      if (!tapped.isRead && !tapped.isMissing) {
        void tapped.drain();
        await Promise.race([tapped.settled, turns()]);
      }
      const seq = log.add(recorded(duration, response, answer));
      if (tapped.isWhole && answer.isWhole) return;
      void Promise.all([tapped.settled, answer.settled]).then(() => {
        log.complete(seq, recorded(duration, response, answer));
      });
    };
    let response: Response;
    try {
      response = await handler(sent);
    } catch (error) {
      await record(undefined, new TappedBody(null));
      throw error;
    }
    const answer = new TappedBody(response.body);
    const copy = answer.isMissing ? response : withBody(response, await answer.takeAtOnce());
    await record(copy, answer);
    return copy;
  };
}

/** All that is kept of an exchange: its request as a whole would keep the connection, too. */
interface Seen {
  readonly mock: ExchangeMock;
  readonly at: number;
  readonly duration: number;
  readonly method: string;
  readonly url: string;
  readonly asked: Headers;
  readonly tapped: TappedBody;
  readonly status: number | null;
  readonly answered: Headers;
  readonly answer: TappedBody;
}

/** Outside of what has the request at hand, so that no function here keeps it. */
function noted(seen: Seen, redactor: Redactor, report: Log): Recorded {
  const { answer, answered, asked, at, duration, method, mock, status, tapped, url } = seen;
  const draft = () => ({
    mock,
    at,
    duration,
    method,
    // First what the mock gives out: its secrets are then known in the request, too.
    response: message(redactor, answered, answer, true),
    url: redactor.url(url),
    path: redactor.url(new URL(url).pathname),
    request: message(redactor, asked, tapped, false),
    status,
  });
  const bodies = tapped.kept + answer.kept;
  return {
    mock,
    length: FRAME_LENGTH + url.length + lengthOf(asked) + lengthOf(answered) + bodies,
    redact: () => orReport(draft, report),
  };
}

function lengthOf(headers: Headers): number {
  let length = 0;
  for (const [name, value] of headers) length += name.length + value.length;
  return length;
}

/** @param issued whether the mock sent it. */
function message(
  redactor: Redactor,
  headers: Headers,
  body: TappedBody,
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

/** The request with a body that is looked at as it is read. */
function tapRequest(request: Request): { readonly sent: Request; readonly tapped: TappedBody } {
  const { body } = request;
  if (body === null || request.bodyUsed) return { sent: request, tapped: new TappedBody(null) };
  const tapped = new TappedBody(body);
  try {
    return { sent: copyRequest(request, tapped.stream()), tapped };
  } catch {
    // A method that no other request may have, such as TRACE.
    return { sent: request, tapped: new TappedBody(null) };
  }
}

function withBody(
  { headers, status, statusText }: Response,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  return new Response(body, { headers, status, statusText });
}
