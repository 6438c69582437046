import type { Sleep } from '../../runtime/index.ts';

/** A body that is rewritten as a whole, or one that flows by. */
export type ReadText =
  | { readonly text: string }
  | { readonly stream: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>; readonly why: string };

/** A JSON document, a form or a page of this protocol is far shorter, and comes at once. */
export const LIMITS: GatherLimits = { most: 1024 * 1024, patience: 10_000 };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const WHY = {
  too_long: 'it is longer than 1 MiB',
  too_slow: 'it had not ended after 10 seconds',
} as const;

/** Rejects when it breaks off. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  sleep: Sleep,
): Promise<ReadText> {
  const gathered = await gather(body, LIMITS, sleep);
  if (!gathered.isWhole) return { stream: gathered.stream, why: WHY[gathered.why] };
  try {
    return { text: UTF8.decode(gathered.bytes) };
  } catch {
    return { stream: gathered.bytes, why: 'it is not UTF-8' };
  }
}

/** What is read before a body is rewritten, at most. Longer ones flow by as they are. */
interface GatherLimits {
  /** Bytes. */
  readonly most: number;
  /** Milliseconds from its first byte on. */
  readonly patience: number;
}

type Gathered =
  | { readonly isWhole: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | {
      readonly isWhole: false;
      readonly why: 'too_long' | 'too_slow';
      /** All of it, what was read first. */
      readonly stream: ReadableStream<Uint8Array>;
    };

type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

/** Reads a body to its end, within limits. Rejects when it breaks off before either. */
export async function gather(
  body: ReadableStream<Uint8Array> | null,
  { most, patience }: GatherLimits,
  sleep: Sleep,
): Promise<Gathered> {
  if (body === null) return { isWhole: true, bytes: new Uint8Array() };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  const patient = new AbortController();
  // Its rejection is that nobody waits any more.
  const late = sleep(patience, patient.signal).then(
    () => 'late' as const,
    () => 'late' as const,
  );
  try {
    for (let size = 0; ; ) {
      const pending = reader.read();
      // Where it is late, the stream rejects in the same way.
      pending.catch(() => {});
      const read = await Promise.race([pending, late]);
      if (read === 'late')
        return { isWhole: false, why: 'too_slow', stream: rest(chunks, reader, pending) };
      if (read.done) return { isWhole: true, bytes: joined(chunks, size) };
      chunks.push(read.value);
      size += read.value.byteLength;
      if (size > most) return { isWhole: false, why: 'too_long', stream: rest(chunks, reader) };
    }
  } finally {
    patient.abort();
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function rest(
  chunks: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first?: Promise<Read>,
): ReadableStream<Uint8Array> {
  let pending = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) {
          controller.enqueue(chunk);
          return;
        }
        const read = await (pending ?? reader.read());
        pending = undefined;
        if (read.done) controller.close();
        else controller.enqueue(read.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before somebody wants it.
    { highWaterMark: 0 },
  );
}
