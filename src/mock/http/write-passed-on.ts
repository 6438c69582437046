import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/**
 * Writes an answer that is somebody else's: nothing is added, its body goes on as it comes and as fast as it is
 * read, and where that breaks off the connection does. Never rejects.
 */
export async function writePassedOn(response: Response, outgoing: ServerResponse): Promise<void> {
  const { body, headers, status, statusText } = response;
  // One that came several times is several pairs (RFC 6265 §3).
  outgoing.writeHead(status, statusText, [...headers].flat());
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(body as ReadableStream), outgoing).catch(() => {});
}
