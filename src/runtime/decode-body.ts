import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  constants as zlib,
} from 'node:zlib';
import type { ChunkReader } from './chunk-reader.ts';

/** More than this is an attack, not an encoding. */
const MOST_CODINGS = 5;

// As lenient about how a body ends as `fetch` is, and curl.
const DEFLATE = { flush: zlib.Z_SYNC_FLUSH, finishFlush: zlib.Z_SYNC_FLUSH };
const BROTLI = {
  flush: zlib.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.BROTLI_OPERATION_FLUSH,
};

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(DEFLATE)],
  ['x-gzip', () => createGunzip(DEFLATE)],
  ['deflate', () => new Inflate()],
  ['br', () => createBrotliDecompress(BROTLI)],
]);

/**
 * Reads a body without the codings of its `Content-Encoding` (RFC 9110 §8.4), as `fetch` does. One that is not known
 * is handed over as it is.
 * @param failure makes the error for what cannot be decoded.
 * @throws Error for too many codings.
 */
export function decodedReader(
  encoded: ChunkReader,
  contentEncoding: string,
  failure: (cause: unknown) => Error,
): ChunkReader {
  const codings = contentEncoding.toLowerCase().split(',');
  if (codings.length > MOST_CODINGS) throw new Error('The body has too many content codings.');
  // The last one was put on last.
  const makers = codings.map((coding) => DECODERS.get(coding.trim())).reverse();
  const known = makers.filter((make) => make !== undefined);
  if (known.length < makers.length) return encoded;
  return throughDecoders(encoded, known, failure);
}

function throughDecoders(
  encoded: ChunkReader,
  makers: readonly (() => Transform)[],
  failure: (cause: unknown) => Error,
): ChunkReader {
  let broken: { readonly error: unknown } | undefined;
  async function* chunks() {
    for (;;) {
      const { done, value } = await encoded.read().catch((error: unknown) => {
        broken = { error };
        throw error;
      });
      if (done) return;
      yield value;
    }
  }
  const decoders = makers.map((make) => make());
  const decoded = decoders.at(-1) ?? Readable.from([]);
  // What fails is told to whoever reads.
  pipeline(
    [Readable.from(chunks(), { objectMode: false, highWaterMark: 0 }), ...decoders],
    () => {},
  );
  const iterator: AsyncIterator<Uint8Array> = decoded[Symbol.asyncIterator]();
  return {
    read: async () => {
      try {
        const { done, value } = await iterator.next();
        return done ? { done } : { done: false, value };
      } catch (error) {
        encoded.cancel().catch(() => {});
        throw broken === undefined ? failure(error) : broken.error;
      }
    },
    cancel: async () => {
      decoded.destroy();
      await encoded.cancel();
    },
  };
}

/** `deflate` with the wrapper of RFC 1950, or, against RFC 9110 §8.4.1.2, without it: its first byte tells. */
class Inflate extends Transform {
  #inner: Transform | undefined;

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    this.#inner ??= this.#open(chunk);
    this.#inner.write(chunk, encoding, done);
  }

  override _flush(done: TransformCallback): void {
    if (this.#inner === undefined) done();
    else this.#inner.once('end', done).end();
  }

  #open(start: Buffer): Transform {
    const hasWrapper = ((start[0] ?? 0) & 0x0f) === 8;
    const inner = hasWrapper ? createInflate(DEFLATE) : createInflateRaw(DEFLATE);
    inner.on('data', (chunk: Buffer) => void this.push(chunk));
    inner.on('error', (error) => this.destroy(error));
    return inner;
  }
}
