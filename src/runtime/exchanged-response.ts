import { type ChunkReader, TAKE_READER } from './chunk-reader.ts';

interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Of the request. */
  readonly url: string;
}

/** Lets go of the connection of an answer, or of its stream, that nobody has any more. */
const unread = new FinalizationRegistry<ChunkReader>((reader) => {
  reader.cancel().catch(() => {});
});

/**
 * The answer of a `fetch` that makes no stream before somebody asks for one: what is read whole is put together from
 * the chunks as they came. To whoever has it, it is a `Response`.
 */
export class ExchangedResponse implements Response {
  readonly #head: Head;
  readonly #reader: ChunkReader | null;
  #isTaken = false;
  /** With a stream, once one is asked for; from then on it has the body. */
  #whole: Response | undefined;
  #used: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  /** @param reader `null`: an answer that has no body. */
  constructor(head: Head, reader: ChunkReader | null) {
    this.#head = head;
    this.#reader = reader;
    if (reader !== null) unread.register(this, reader, this);
  }

  get status(): number {
    return this.#head.status;
  }

  get statusText(): string {
    return this.#head.statusText;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get headers(): Headers {
    return this.#head.headers;
  }

  get url(): string {
    return this.#head.url;
  }

  get type(): Response['type'] {
    return 'basic';
  }

  get redirected(): boolean {
    return false;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#reader === null) return null;
    if (!this.#isTaken) return this.#streaming().body;
    this.#used ??= usedStream();
    return this.#used;
  }

  get bodyUsed(): boolean {
    return this.#isTaken || (this.#whole?.bodyUsed ?? false);
  }

  /** The body without a stream. @throws TypeError when somebody else has it. */
  [TAKE_READER](): ChunkReader | null {
    if (this.#whole !== undefined) return this.#whole.body?.getReader() ?? null;
    if (this.#reader !== null) this.#take();
    return this.#reader;
  }

  async text(): Promise<string> {
    return this.#whole?.text() ?? new TextDecoder().decode(await this.#bytes());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole?.arrayBuffer() ?? (await this.#bytes()).buffer;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#whole === undefined
      ? this.#bytes()
      : new Uint8Array(await this.#whole.arrayBuffer());
  }

  async blob(): Promise<Blob> {
    return this.#streaming().blob();
  }

  async formData(): Promise<FormData> {
    return this.#streaming().formData();
  }

  clone(): Response {
    return this.#streaming().clone();
  }

  /** The body whole, in memory of its own. */
  async #bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const reader = this[TAKE_READER]();
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = reader === null ? { done: true } : await reader.read();
      if (done || value === undefined) break;
      chunks.push(value);
      size += value.byteLength;
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.byteLength;
    }
    return bytes;
  }

  #take(): void {
    if (this.#isTaken) throw new TypeError('Body is unusable: Body has already been read');
    this.#isTaken = true;
    unread.unregister(this);
  }

  #streaming(): Response {
    this.#whole ??= this.#withStream();
    return this.#whole;
  }

  #withStream(): Response {
    const { headers, status, statusText } = this.#head;
    const reader = this[TAKE_READER]();
    const stream = reader === null ? null : streamOf(reader);
    // From now on it may be had without this.
    if (reader !== null && stream !== null) unread.register(stream, reader);
    const whole = new Response(stream, { headers, status: Math.min(status, 599), statusText });
    this.#isTaken = false;
    return whole;
  }
}

// A `Response` to `instanceof`, and to nothing that would look for a body inside: that fails loudly.
Object.setPrototypeOf(ExchangedResponse.prototype, Response.prototype);

function streamOf(reader: ChunkReader): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) controller.close();
        // It may be a part of a larger buffer, which is nobody else's business.
        else controller.enqueue(new Uint8Array(value));
      },
      cancel: () => reader.cancel(),
    },
    // Nothing is read before somebody asks.
    { highWaterMark: 0 },
  );
}

/** What a body is after it was read: locked, and at its end. */
function usedStream(): ReadableStream<Uint8Array<ArrayBuffer>> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.close(),
  });
  stream.getReader();
  return stream;
}
