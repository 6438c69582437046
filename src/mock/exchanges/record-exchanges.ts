import {
  type ExchangeLog,
  MAX_KEPT_BYTES,
  NO_BODY,
  type Receiver,
  type SeenBody,
  seenBody,
} from '../../exchanges/index.ts';
import type { Clock, Log } from '../../runtime/index.ts';
import {
  answerTo,
  atDoor,
  type FetchHandler,
  headersOf,
  type PlainReply,
  pathOf,
  Reply,
} from '../http/index.ts';
import { Recording, type SeenAnswer } from './recording.ts';
import { TappedBody, turns } from './tapped-body.ts';
import { watchRequest } from './watch-request.ts';

interface RecordingOptions {
  readonly to: Receiver;
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
  const { clock, isOutside, log, machineClock, report, to } = options;
  const place = { to, redactor: log.redactor, report };
  const unrecorded = atDoor(handler);
  if (log.kept === 0) return unrecorded;
  return async (request) => {
    if (isOutside(pathOf(request.url))) return unrecorded(request);
    const at = clock.now();
    const begin = machineClock.now();
    const watched = watchRequest(request);
    const record = (answer: PlainReply | SeenAnswer): Promise<void> | undefined => {
      const { method, url } = request;
      const { headers } = watched;
      const body = watched.body();
      const seen = { at, duration: machineClock.now() - begin, method, url, headers, body };
      return afterUnread(body, () => {
        const seq = log.add(new Recording(place, seen, answer));
        const answered = 'text' in answer ? NO_BODY : answer.body;
        if (body.isWhole && answered.isWhole) return;
        void Promise.all([settled(body), settled(answered)]).then(() => {
          log.complete(seq, new Recording(place, seen, answer));
        });
      });
    };
    let response: Response;
    try {
      response = await handler(watched.sent);
    } catch (error) {
      await record({ status: null, headers: {}, body: NO_BODY });
      throw error;
    }
    const plain = response instanceof Reply ? response.plain : undefined;
    if (plain !== undefined) {
      const recorded = record(shortened(plain));
      if (recorded !== undefined) await recorded;
      return answerTo(request, response);
    }
    const body = new TappedBody(response.body);
    const copy = body.isMissing ? response : withBody(response, await body.takeAtOnce());
    // A copy: whoever has the answer may change its headers.
    await record({ status: copy.status, headers: new Headers(copy.headers), body });
    return answerTo(request, copy);
  };
}

/** What is kept of a long text must not hold all of it. */
function shortened(plain: PlainReply): PlainReply | SeenAnswer {
  const { status, text } = plain;
  if (text === null || text.length <= MAX_KEPT_BYTES) return plain;
  return { status, headers: headersOf(plain), body: seenBody(text) };
}

/** Looks at a body that nobody has read, as far as it is there, and goes on. */
function afterUnread(body: SeenBody, then: () => void): Promise<void> | undefined {
  if (!(body instanceof TappedBody) || body.isRead || body.isMissing) {
    then();
    return undefined;
  }
  void body.drain();
  return Promise.race([body.settled, turns()]).then(then);
}

/** Resolves when no more will come by of a body. */
function settled(body: SeenBody): Promise<void> | undefined {
  return body instanceof TappedBody ? body.settled : undefined;
}

function withBody(
  { headers, status, statusText }: Response,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  return new Response(body, { headers, status, statusText });
}
