import type { Clock, Log } from '../../runtime/ports.ts';
import { MAX_KEPT_BYTES, type Receiver } from '../../traffic/exchange.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import { NO_BODY, SeenBody } from '../../traffic/seen-body.ts';
import type { FetchHandler } from '../http/app.ts';
import { type Connection, connectionOf } from '../http/connection.ts';
import { NO_ANSWER, type SeenAnswer } from '../http/limited-server.ts';
import { pathOf } from '../http/request.ts';
import { notesOf, orUnrecorded, Recording, type SeenRequest } from './recording.ts';

interface RecordingOptions {
  readonly to: Receiver;
  readonly log: ExchangeLog;
  /** The mock's. */
  readonly clock: Clock;
  /** The machine's clock; the mock's may be moved while a request runs. */
  readonly machineClock: Clock;
  /** Where it is told that an exchange could not be recorded. */
  readonly report: Log;
  /** What is no exchange of the mock's: its controls. Default: nothing. */
  readonly isOutside?: (path: string) => boolean;
}

/**
 * The application, each exchange with it noted in the log before its caller sees the answer. The answer
 * stays as it was: bodies are looked at as they flow by, and nobody waits for one.
 */
export function recordExchanges(handler: FetchHandler, options: RecordingOptions): FetchHandler {
  const { clock, isOutside = () => false, log, machineClock, report, to } = options;
  const place = { to, redactor: log.redactor, report };
  if (log.kept === 0) return handler;
  return (request) => {
    if (isOutside(pathOf(request.url))) return handler(request);
    const { method, url } = request;
    const at = clock.now();
    const begin = machineClock.now();
    const record: Record = (handled, sent, answer, whenOver) => {
      const duration = machineClock.now() - begin;
      const { headers, body } = sent;
      const seen = { at, duration, method, url, headers, body, notes: notesOf(handled) };
      orUnrecorded(report, () => {
        const seq = log.add(new Recording(place, seen, answer));
        if (body.isWhole && answer.body.isWhole) return;
        whenOver(() =>
          orUnrecorded(report, () => log.complete(seq, new Recording(place, seen, answer))),
        );
      });
    };
    const connection = connectionOf(request);
    return connection === undefined
      ? throughFetch(handler, request, record)
      : throughNode(handler, request, connection, record);
  };
}

/**
 * @param handled the request as the handler had it.
 * @param whenOver calls its listener when no more will come of a body, once for each.
 */
type Record = (
  handled: Request,
  sent: Pick<SeenRequest, 'headers' | 'body'>,
  answer: SeenAnswer,
  whenOver: (listener: () => void) => void,
) => void;

/** Node writes what it is answered: its own response is looked at, which costs little. */
function throughNode(
  handler: FetchHandler,
  request: Request,
  connection: Connection,
  record: Record,
): Promise<Response> {
  const { incoming, outgoing } = connection;
  const whenOver = (listener: () => void): void => {
    incoming.once('close', listener);
    outgoing.once('close', listener);
  };
  const sent = { headers: incoming.rawHeaders, body: watchIncoming(connection) };
  outgoing.watch = {
    begun: (answer) => {
      // A body that nobody has read is looked at, too.
      if (sent.body !== NO_BODY && !incoming.readableDidRead) incoming.resume();
      record(request, sent, answer, whenOver);
    },
  };
  return handler(request);
}

/** The body of a request, as it is read. */
function watchIncoming({ incoming }: Connection): SeenBody {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && length === '0') return NO_BODY;
  const body = new SeenBody();
  // Not by `on`, which would make it flow before there is a reader.
  incoming.prependListener('data', (chunk: Uint8Array) => body.take(chunk));
  incoming.prependListener('end', () => {
    body.isWhole = true;
  });
  return body;
}

/** Whoever calls in this process gets a `Response` of the same content. */
async function throughFetch(
  handler: FetchHandler,
  given: Request,
  record: Record,
): Promise<Response> {
  const { copy, ...request } = watchRequest(given);
  const sent = { headers: [...given.headers].flat(), body: request.body };
  const whenOver = (listener: () => void) => void request.over?.then(listener);
  let answer: Response;
  try {
    answer = await handler(copy);
  } catch (error) {
    record(copy, sent, NO_ANSWER, whenOver);
    throw error;
  }
  const { copy: response, body, over } = watchResponse(answer);
  await turns();
  const cookies = response.headers.getSetCookie();
  const headers = { ...Object.fromEntries(response.headers), 'set-cookie': cookies };
  record(copy, sent, { status: response.status, headers, body }, (listener) => {
    whenOver(listener);
    void over?.then(listener);
  });
  return response;
}

/** The turns of the microtask queue that a short body has to go by; a stream of Node's takes longer. */
const TURNS = 64;

interface Watched<T> {
  /** The same request, or the same answer. */
  readonly copy: T;
  /** What is kept of the body as it goes by. */
  readonly body: SeenBody;
  /** Resolves when no more will come by. */
  readonly over?: Promise<void>;
}

function watchRequest(request: Request): Watched<Request> {
  const { body, headers, method, redirect, signal, url } = request;
  if (body === null || request.bodyUsed) return { copy: request, body: NO_BODY };
  const { stream, ...seen } = watchStream(body);
  // Half duplex: what the fetch standard asks for where a body is a stream; the types of Node miss it.
  const init = { method, headers, redirect, signal, body: stream, duplex: 'half' } as RequestInit;
  // Not of the request itself: one that came over Node need be none of the class `Request`.
  return { copy: new Request(url, init), ...seen };
}

function watchResponse(response: Response): Watched<Response> {
  const { body, headers, status, statusText } = response;
  if (body === null || response.bodyUsed) return { copy: response, body: NO_BODY };
  const { stream, ...seen } = watchStream(body);
  return { copy: new Response(stream, { headers, status, statusText }), ...seen };
}

/** Resolves once everything has happened that waits for nothing. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await undefined;
}

/**
 * Watches a stream, which is asked for no more than its reader wants, but for what is kept of it. One stream that reads
 * the other: a transforming one with a pipe to it takes three times as long.
 */
function watchStream(source: ReadableStream<Uint8Array>) {
  const body = new SeenBody();
  const reader = source.getReader();
  let isLeft = false;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          // What is read to whoever has left is done, too.
          if (isLeft) return;
          if (!done) {
            body.take(value);
            controller.enqueue(value);
            return;
          }
          body.isWhole = true;
          controller.close();
          end();
        } catch (error) {
          end();
          // A chunk that cannot be taken ends its source, too.
          void reader.cancel(error).catch(() => {});
          throw error;
        }
      },
      cancel: (reason) => {
        isLeft = true;
        end();
        return reader.cancel(reason).catch(() => {});
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_KEPT_BYTES }),
  );
  return { stream, body, over };
}
