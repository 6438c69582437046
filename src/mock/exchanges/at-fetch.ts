import { MAX_KEPT_BYTES } from '../../exchanges/exchange.ts';
import { NO_BODY, type SeenBody } from '../../exchanges/seen-body.ts';
import { PassingBody } from '../http/passing-body.ts';

/** So many turns of the microtask queue a short body has to go by; a stream of Node's takes longer. */
const TURNS = 64;

interface Watched<T> {
  /** The same request, or the same answer. */
  readonly copy: T;
  /** As it goes by. */
  readonly body: SeenBody;
  /** Resolves when no more will come by. */
  readonly over?: Promise<void>;
}

export function watchRequest(request: Request): Watched<Request> {
  const { body, headers, method, redirect, signal, url } = request;
  if (body === null || request.bodyUsed) return { copy: request, body: NO_BODY };
  const { stream, ...seen } = watchStream(body);
  // Half duplex: what the fetch standard asks for where a body is a stream; the types of Node miss it.
  const init = { method, headers, redirect, signal, body: stream, duplex: 'half' } as RequestInit;
  // Not of the request itself: one that came over Node need be none of the class `Request`.
  return { copy: new Request(url, init), ...seen };
}

export function watchResponse(response: Response): Watched<Response> {
  const { body, headers, status, statusText } = response;
  if (body === null) return { copy: response, body: NO_BODY };
  const { stream, ...seen } = watchStream(body);
  return { copy: new Response(stream, { headers, status, statusText }), ...seen };
}

/** Resolves once everything has happened that waits for nothing. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await undefined;
}

/** Asked for no more than its reader wants, but for what is kept of it. */
function watchStream(source: ReadableStream<Uint8Array>) {
  const body = new PassingBody();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform: (chunk, controller) => {
        body.take(chunk);
        controller.enqueue(chunk);
      },
      flush: () => {
        body.isWhole = true;
      },
    },
    undefined,
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_KEPT_BYTES }),
  );
  return { stream: readable, body, over: source.pipeTo(writable).catch(() => {}) };
}
