import type { Transform } from 'node:stream';
import type { ChunkReader } from './chunk-reader.ts';

/** More than this is an attack, not an encoding. */
const MOST_CODINGS = 5;

type Decoders = ReadonlyMap<string, () => Transform>;
let decoders: Decoders | undefined;

/** Loaded when a body is encoded: they are of Node, where alone this is asked for. */
function allDecoders(): Decoders {
  if (decoders !== undefined) return decoders;
  const { constants, createBrotliDecompress, createGunzip } = process.getBuiltinModule('node:zlib');
  // As lenient about how a body ends as `fetch` is, and curl.
  const gunzip = () => createGunzip(deflateOptions());
  const brotli = {
    flush: constants.BROTLI_OPERATION_FLUSH,
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  };
  decoders = new Map<string, () => Transform>([
    ['gzip', gunzip],
    ['x-gzip', gunzip],
    ['deflate', inflate],
    ['br', () => createBrotliDecompress(brotli)],
  ]);
  return decoders;
}

function deflateOptions() {
  const { Z_SYNC_FLUSH: flush } = process.getBuiltinModule('node:zlib').constants;
  return { flush, finishFlush: flush };
}

export interface DecodedReader extends ChunkReader {
  /** Ends it at once, for whoever reads or will read. */
  fail(error: unknown): void;
}

/**
 * Reads a body without the codings of its `Content-Encoding` (RFC 9110 §8.4), as `fetch` does. It cancels what
 * it reads from when it has come to its end. `undefined`: one is not known, and the body is to be read as it is.
 * @param failure makes the error for what cannot be decoded.
 * @throws Error for too many codings.
 */
export function decodedReader(
  encoded: ChunkReader,
  contentEncoding: string,
  failure: (cause: unknown) => Error,
): DecodedReader | undefined {
  const codings = contentEncoding.toLowerCase().split(',');
  if (codings.length > MOST_CODINGS) throw new Error('The body has too many content codings.');
  // The last one was put on last.
  const makers = codings.map((coding) => allDecoders().get(coding.trim())).reverse();
  const known = makers.filter((make) => make !== undefined);
  if (known.length < makers.length) return undefined;
  return throughDecoders(encoded, known, failure);
}

function throughDecoders(
  encoded: ChunkReader,
  makers: readonly (() => Transform)[],
  failure: (cause: unknown) => Error,
): DecodedReader {
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
  const { pipeline, Readable } = process.getBuiltinModule('node:stream');
  const made = makers.map((make) => make());
  const decoded = made.at(-1) ?? Readable.from([]);
  // What fails is told to whoever reads.
  decoded.on('error', () => {});
  pipeline([Readable.from(chunks(), { objectMode: false, highWaterMark: 0 }), ...made], () => {});
  const letGo = () => void encoded.cancel().catch(() => {});
  const iterator: AsyncIterator<Uint8Array> = decoded[Symbol.asyncIterator]();
  return {
    read: async () => {
      try {
        const { done, value } = await iterator.next();
        if (!done) return { done: false, value };
        letGo();
        return { done };
      } catch (error) {
        letGo();
        throw broken === undefined ? failure(error) : broken.error;
      }
    },
    cancel: async () => {
      decoded.destroy();
      await encoded.cancel();
    },
    fail: (error) => {
      broken = { error };
      decoded.destroy();
    },
  };
}

/** `deflate` with the wrapper of RFC 1950, or, against RFC 9110 §8.4.1.2, without it: its first byte tells. */
function inflate(): Transform {
  const { Transform } = process.getBuiltinModule('node:stream');
  const { createInflate, createInflateRaw } = process.getBuiltinModule('node:zlib');
  let inner: Transform | undefined;
  let hasEnded = false;
  /** Of what is written: what stands behind the end is taken by nobody. */
  let ended = () => {};
  const open = (start: Buffer): Transform => {
    const hasWrapper = ((start[0] ?? 0) & 0x0f) === 8;
    const opened = (hasWrapper ? createInflate : createInflateRaw)(deflateOptions());
    opened.on('data', (chunk: Buffer) => void outer.push(chunk));
    opened.on('error', (error) => outer.destroy(error));
    opened.on('end', () => {
      hasEnded = true;
      outer.push(null);
      ended();
    });
    return opened;
  };
  const outer = new Transform({
    transform(chunk: Buffer, encoding, done) {
      if (hasEnded) return done();
      inner ??= open(chunk);
      ended = once(done);
      inner.write(chunk, encoding, ended);
    },
    flush(done) {
      if (inner === undefined || hasEnded) return done();
      ended = done;
      inner.end();
    },
  });
  return outer;
}

function once(done: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) done();
    isDone = true;
  };
}
