/** What {@link readBody} gives: the text, or why it could not be read. */
export type BodyResult =
  | {
      readonly ok: true;
      readonly text: string;
      /** It began with one, which is no part of the text. */
      readonly byteOrderMark?: true;
    }
  | {
      readonly ok: false;
      readonly problem: 'too_large' | 'not_utf8';
      /** How it begins, as far as that is text, where `keepStart` asked for it. */
      readonly start?: string;
    };

/** A body that broke off; the cause is what broke it. */
export class BrokenBody extends Error {
  /** How it begins, as far as that is text. */
  readonly start: string;

  constructor(start: string, options: { readonly cause: unknown }) {
    super('The body broke off.', options);
    this.start = start;
  }
}

/**
 * Reads a body as UTF-8 text, at most `limit` bytes. The cap holds while reading, whatever
 * `Content-Length` says. Rejects as the stream does, and with the signal's reason when it is aborted
 * first: not every fetch passes that on once the answer has begun.
 * @param keepStart bytes to keep of a body that cannot be read; one that breaks off then rejects with a
 *   {@link BrokenBody}.
 */
export async function readBody(
  message: { readonly body: ReadableStream<Uint8Array> | null },
  limit: number,
  signal?: AbortSignal,
  keepStart?: number,
): Promise<BodyResult> {
  const reader = message.body?.getReader();
  if (reader === undefined) return { ok: true, text: '' };
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await readText(reader, limit, signal, keepStart);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
  signal: AbortSignal | undefined,
  keepStart: number | undefined,
): Promise<BodyResult> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await next(reader, signal, chunks, keepStart);
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      // Not awaited: a stream that does not end need not end its cancelling either.
      reader.cancel().catch(() => {});
      return { ok: false, problem: 'too_large', ...startOf([...chunks, value], keepStart) };
    }
    chunks.push(value);
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(Buffer.concat(chunks));
    if (!text.startsWith('\uFEFF')) return { ok: true, text };
    return { ok: true, text: text.slice(1), byteOrderMark: true };
  } catch {
    return { ok: false, problem: 'not_utf8', ...startOf(chunks, keepStart) };
  }
}

async function next(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
  before: readonly Uint8Array[],
  keepStart: number | undefined,
) {
  try {
    const result = await reader.read();
    signal?.throwIfAborted();
    return result;
  } catch (error) {
    const cause: unknown = signal?.aborted ? signal.reason : error;
    const { start } = startOf(before, keepStart);
    throw start === undefined ? cause : new BrokenBody(start, { cause });
  }
}

function startOf(
  chunks: readonly Uint8Array[],
  bytes: number | undefined,
): { readonly start?: string } {
  if (bytes === undefined) return {};
  return { start: new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytes)) };
}
