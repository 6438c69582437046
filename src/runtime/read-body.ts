export type BodyResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'too_large' | 'not_utf8' };

/**
 * Reads a body as UTF-8 text, at most `limit` bytes. The cap holds while reading, whatever
 * `Content-Length` says. Rejects as the stream does.
 */
export async function readBody(
  message: { readonly body: ReadableStream<Uint8Array> | null },
  limit: number,
): Promise<BodyResult> {
  if (message.body === null) return { ok: true, text: '' };
  const reader = message.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
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
