import { copyReachedAt } from './reached-at.ts';
import { copyRemoteIp } from './remote-ip.ts';

/** The same request with another body, on the same connection: who asks, and whom, is known of the copy, too. */
export function copyRequest(request: Request, body: ReadableStream<Uint8Array> | null): Request {
  const { headers, method, url } = request;
  // Half duplex: what the fetch standard asks for where a body is a stream; the types of Node miss it.
  const init = { method, headers, body, duplex: 'half' } as RequestInit;
  const copy = new Request(url, init);
  copyReachedAt(request, copy);
  copyRemoteIp(request, copy);
  return copy;
}
