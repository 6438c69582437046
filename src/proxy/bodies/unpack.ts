/** What the Web's own streams unpack (RFC 9110 §8.4.1). */
const FORMATS: Readonly<Record<string, 'gzip' | 'deflate'>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
};

/** The encodings of a body, the outermost last. */
export function encodingsOf(headers: Headers): readonly string[] {
  return (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');
}

/**
 * A body that was compressed although nobody asked for it, unpacked as it comes: whoever reads it decides how
 * much. `undefined`: its encoding is not known here.
 */
export function unpack(
  body: ReadableStream<Uint8Array>,
  encodings: readonly string[],
): ReadableStream<Uint8Array> | undefined {
  const [encoding, more] = encodings;
  if (encoding === undefined) return body;
  const format = FORMATS[encoding];
  if (format === undefined || more !== undefined) return undefined;
  const { readable, writable } = new DecompressionStream(format);
  // What is wrong with the data, or its source, is seen by whoever reads the other end.
  body.pipeTo(writable as WritableStream<Uint8Array>).catch(() => {});
  return readable;
}
