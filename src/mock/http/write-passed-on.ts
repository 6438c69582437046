/** As much of the Node server's answer as is needed here. */
interface Outgoing {
  writeHead(status: number, statusText: string, fields: string[]): unknown;
  flushHeaders(): void;
  /** `false`: wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  readonly destroyed: boolean;
}

/**
 * Writes an answer that is somebody else's: nothing is added, its body goes on as it comes and as fast as it is
 * read, and where that breaks off the connection does. Never rejects.
 */
export async function writePassedOn(response: Response, outgoing: Outgoing): Promise<void> {
  const { body, headers, status, statusText } = response;
  // One that came several times is several pairs (RFC 6265 §3).
  outgoing.writeHead(status, statusText, [...headers].flat());
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = body.getReader();
  const closed = new Promise<'closed'>((resolve) =>
    outgoing.once('close', () => resolve('closed')),
  );
  void closed.then(() => reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (outgoing.write(value)) continue;
      const drained = new Promise<'drained'>((resolve) =>
        outgoing.once('drain', () => resolve('drained')),
      );
      if ((await Promise.race([drained, closed])) === 'closed') return;
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}
