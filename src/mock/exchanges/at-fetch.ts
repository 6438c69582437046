import { MAX_KEPT_BYTES, NO_BODY, type SeenBody } from '../../exchanges/index.ts';
import { PassingBody } from './passing-body.ts';

/** So many turns of the microtask queue a short body has to go by; a stream of Node's takes longer. */
const TURNS = 64;

/** The same request, and its body as it goes by. */
export function watchRequest(request: Request): [Request, SeenBody] {
  const { body, headers, method, url } = request;
  if (body === null || request.bodyUsed) return [request, NO_BODY];
  const [stream, seen] = watchStream(body);
  // Half duplex: what the fetch standard asks for where a body is a stream; the types of Node miss it.
  return [new Request(url, { method, headers, body: stream, duplex: 'half' } as RequestInit), seen];
}

/** The same answer, and its body as it goes by. */
export function watchResponse(response: Response): [Response, SeenBody] {
  const { body, headers, status, statusText } = response;
  if (body === null) return [response, NO_BODY];
  const [stream, seen] = watchStream(body);
  return [new Response(stream, { headers, status, statusText }), seen];
}

/** Resolves once everything has happened that waits for nothing. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await undefined;
}

/** Asked for no more than its reader wants, but for what is kept of it. */
function watchStream(source: ReadableStream<Uint8Array>): [ReadableStream<Uint8Array>, SeenBody] {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform: (chunk, controller) => {
        seen.take(chunk);
        controller.enqueue(chunk);
      },
      flush: () => {
        seen.isWhole = true;
      },
    },
    undefined,
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_KEPT_BYTES }),
  );
  const passed = source.pipeTo(writable).catch(() => {});
  const seen = new PassingBody((listener) => void passed.then(listener));
  return [readable, seen];
}
