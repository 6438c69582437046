import { NO_BODY, type SeenBody, seenBody } from '../../exchanges/index.ts';
import { copyRequest, incomingOf, ServedRequest } from '../http/index.ts';
import type { KeptHeaders } from './kept-headers.ts';
import { TappedBody } from './tapped-body.ts';

/** A request whose body is looked at as it is read. */
export interface WatchedRequest {
  /** For the handler. */
  readonly sent: Request;
  readonly headers: KeptHeaders;
  /** Once the handler has answered. */
  body(): SeenBody | TappedBody;
}

export function watchRequest(request: Request): WatchedRequest {
  const incoming = incomingOf(request);
  if (incoming === undefined) {
    const { sent, tapped } = tapRequest(request);
    return { sent, headers: request.headers, body: () => tapped };
  }
  let tapped: SeenBody | TappedBody = NO_BODY;
  const served = new ServedRequest(request, incoming, () => {
    if (served.hasNoBody) return copyRequest(request, null);
    const copy = tapRequest(request);
    tapped = copy.tapped;
    return copy.sent;
  });
  return {
    sent: served,
    headers: incoming.rawHeaders,
    body: () => {
      if (served.read !== undefined) return seenBody(served.read.content, served.read.isWhole);
      // What nobody has read is looked at, too.
      if (!served.hasNoBody) served.whole();
      return tapped;
    },
  };
}

function tapRequest(request: Request): {
  readonly sent: Request;
  readonly tapped: SeenBody | TappedBody;
} {
  const { body } = request;
  if (body === null || request.bodyUsed) return { sent: request, tapped: NO_BODY };
  const tapped = new TappedBody(body);
  try {
    return { sent: copyRequest(request, tapped.stream()), tapped };
  } catch {
    // A method that no other request may have, such as TRACE.
    return { sent: request, tapped: NO_BODY };
  }
}
