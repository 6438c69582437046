import { NO_BODY, type SeenBody, seenBody } from '../../exchanges/index.ts';
import type { Connection } from '../http/connection.ts';
import { PassingBody } from './passing-body.ts';
import type { SeenAnswer } from './recording.ts';

/** The body of a request, as it is read. */
export function watchIncoming({ incoming }: Connection): SeenBody {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && length === '0') return NO_BODY;
  const body = new PassingBody();
  // Not by `on`, which would make it flow before there is a reader.
  incoming.prependListener('data', (chunk: Uint8Array) => body.take(chunk));
  incoming.prependListener('end', () => {
    body.isWhole = true;
  });
  return body;
}

/** Tells of an answer when it has begun, before its reader can have seen it. */
export function watchOutgoing({ outgoing }: Connection, begun: (answer: SeenAnswer) => void): void {
  const { end, write, writeHead } = outgoing;
  let body: SeenBody | undefined;
  const passing = (): PassingBody => {
    const mine = body instanceof PassingBody ? body : new PassingBody();
    body = mine;
    return mine;
  };
  outgoing.writeHead = (...given: unknown[]) => {
    Reflect.apply(writeHead, outgoing, given);
    const status = outgoing.statusCode;
    const headers = { date: outgoing.getHeader('date'), ...(given.at(-1) as object) };
    // What follows in this turn is seen first, which is all of most answers.
    void Promise.resolve().then(() => begun({ status, headers, body: body ?? passing() }));
    return outgoing;
  };
  outgoing.write = (...given: unknown[]): boolean => {
    passing().take(bytesOf(given[0]));
    return Reflect.apply(write, outgoing, given);
  };
  outgoing.end = (...given: unknown[]) => {
    const [chunk] = given;
    // Most have one text, which is kept as it is.
    if (body === undefined && typeof chunk === 'string') {
      body = seenBody(chunk);
    } else {
      passing().take(bytesOf(chunk));
      passing().isWhole = true;
    }
    return Reflect.apply(end, outgoing, given);
  };
}

function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
}
