export type Chunk =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: Uint8Array | undefined };

/** Reads a body, chunk by chunk; any reader of a stream is one. */
export interface ChunkReader {
  read(): Promise<Chunk>;
  cancel(reason?: unknown): Promise<void>;
}

/** The method of a message that hands over its body without a stream. */
export const TAKE_READER: unique symbol = Symbol('takeReader');

interface Message {
  readonly body: ReadableStream<Uint8Array> | null;
  [TAKE_READER]?(): ChunkReader | null;
}

/** The body of a message, for one reader; `null`: it has none. */
export function readerOf(message: Message): ChunkReader | null {
  return message[TAKE_READER] === undefined
    ? (message.body?.getReader() ?? null)
    : message[TAKE_READER]();
}
