import { kindOfBody } from './bodies/kind-of-body.ts';
import { type ReadText, readText } from './bodies/read-text.ts';
import { encodingsOf, unpack } from './bodies/unpack.ts';
import { explainFailure } from './explain-failure.ts';
import { withVia } from './headers/request-headers.ts';
import type { Place } from './place.ts';

/** The answer to a request that was sent on. */
export interface Sent {
  readonly answer: Response;
  /** Of a body that is rewritten. */
  readonly text?: string;
  /** Why a body flows by that would be rewritten otherwise: after "because". */
  readonly why?: string;
  /** Not the server's: it gave none. */
  readonly isOwn?: true;
}

/** Sends a request to the server. Never rejects; a body that flows by may break off later. */
export async function send(
  request: Request,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const { forward, front, pseudonym } = place;
  let answer: Response;
  try {
    const { body, method, url } = request;
    // Added here: it is no part of what the agent sent, which is recorded.
    const headers = withVia(request.headers, pseudonym);
    answer = await forward({ url, method, headers, body, signal });
  } catch (error) {
    return { answer: explainFailure(error, front.real), isOwn: true };
  }
  try {
    return await readAnswer(answer, request.method, place);
  } catch (error) {
    return { answer: explainFailure(error, front.real, answer.status), isOwn: true };
  }
}

async function readAnswer(answer: Response, method: string, { sleep }: Place): Promise<Sent> {
  const kind = kindOfBody(answer);
  if (answer.body === null || method === 'HEAD' || kind === 'other' || kind === 'form') {
    return { answer };
  }
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  const body = unpack(answer.body, encodingsOf(headers));
  if (body === undefined) return { answer, why: 'its encoding is unknown here' };
  if (encodingsOf(headers).length > 0) {
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  }
  const read: ReadText = await readText(body, sleep);
  const init = { status, statusText, headers };
  return 'text' in read
    ? { answer: new Response(new TextEncoder().encode(read.text), init), text: read.text }
    : { answer: new Response(read.stream, init), why: read.why };
}
