import { untilAborted } from './system-deadline.ts';

/** What {@link readBody} gives: the text, or why it could not be read. */
export type BodyResult =
  | {
      readonly ok: true;
      readonly text: string;
      /** Whether the body began with a byte order mark, which is no part of the text. */
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
  // Not awaited: a stream that does not end need not end its cancelling either.
  const cancel = (reason?: unknown) => void reader.cancel(reason).catch(() => {});
  const chunks: Uint8Array[] = [];
  const start = () => new TextDecoder().decode(Buffer.concat(chunks).subarray(0, keepStart));
  const unread = (problem: 'too_large' | 'not_utf8'): BodyResult => ({
    ok: false,
    problem,
    ...(keepStart !== undefined && { start: start() }),
  });
  try {
    for (let size = 0; ; ) {
      signal?.throwIfAborted();
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
      if (size > limit) {
        cancel();
        return unread('too_large');
      }
    }
  } catch (cause) {
    cancel(cause);
    throw keepStart === undefined ? cause : new BrokenBody(start(), { cause });
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(Buffer.concat(chunks));
    if (!text.startsWith('\uFEFF')) return { ok: true, text };
    return { ok: true, text: text.slice(1), byteOrderMark: true };
  } catch {
    return unread('not_utf8');
  }
}
