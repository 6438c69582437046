export type BodyResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'too_large' | 'not_utf8' };

/**
 * Reads a body as UTF-8 text, at most `limit` bytes. The cap holds while reading, whatever
 * `Content-Length` says. Rejects as the stream does, and with the signal's reason when it is aborted
 * first: not every fetch passes that on once the answer has begun.
 */
export async function readBody(
  message: { readonly body: ReadableStream<Uint8Array> | null },
  limit: number,
  signal?: AbortSignal,
): Promise<BodyResult> {
  if (message.body === null) return { ok: true, text: '' };
  const reader = message.body.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await readText(reader, limit, signal);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<BodyResult> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    signal?.throwIfAborted();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      // Not awaited: a stream that does not end need not end its cancelling either.
      reader.cancel().catch(() => {});
      return { ok: false, problem: 'too_large' };
    }
    chunks.push(value);
  }
  try {
    return {
      ok: true,
      text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)),
    };
  } catch {
    return { ok: false, problem: 'not_utf8' };
  }
}
