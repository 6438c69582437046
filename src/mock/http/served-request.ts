import { type BodyResult, readBody } from '../../runtime/index.ts';
import type { FetchHandler } from './app.ts';
import { copyRequest } from './copy-request.ts';
import { announcedLength, type Incoming, incomingOf, readIncoming } from './incoming.ts';
import { copyReachedAt } from './reached-at.ts';
import { copyRemoteIp } from './remote-ip.ts';
import { wholeResponse } from './reply.ts';

/** What was read of a body by {@link ServedRequest.readText}. */
export interface ReadBody {
  /** As it came, or where it is UTF-8, as text. */
  readonly content: string | Uint8Array;
  /** Whether it came to its end. */
  readonly isWhole: boolean;
}

/**
 * A request of the Node server. Its body is read from the socket, once. It becomes a request with a stream
 * when somebody looks at more than its head: few do, and that costs more than all the rest of a short one.
 */
export class ServedRequest implements Request {
  readonly method: string;
  readonly url: string;
  readonly #given: Request;
  readonly #incoming: Incoming;
  readonly #make: () => Request;
  #whole: Request | undefined;
  #read: ReadBody | undefined;

  /** @param make makes one of `given` that any `fetch` could have been given. */
  constructor(given: Request, incoming: Incoming, make: () => Request) {
    this.method = given.method;
    this.url = given.url;
    this.#given = given;
    this.#incoming = incoming;
    this.#make = make;
    copyReachedAt(given, this);
    copyRemoteIp(given, this);
  }

  /** From now on the request. */
  whole(): Request {
    if (this.#whole === undefined) {
      this.#whole = this.#make();
      // Its body cannot be read again.
      if (this.#read !== undefined) void this.#whole.text().catch(() => {});
    }
    return this.#whole;
  }

  /** Whether somebody has looked at more than its head. */
  get isWhole(): boolean {
    return this.#whole !== undefined;
  }

  /** What {@link readText} read; `undefined` when it read nothing, or from the stream. */
  get read(): ReadBody | undefined {
    return this.#read;
  }

  /** Reads the body as UTF-8 text, at most `limit` bytes. Rejects when it breaks off. */
  async readText(limit: number): Promise<BodyResult> {
    const length = this.#whole === undefined ? announcedLength(this.#incoming) : undefined;
    if (length === undefined || length > limit || this.hasNoBody) {
      return readBody(this.whole(), limit);
    }
    const chunks: Uint8Array[] = [];
    const pending = readIncoming(this.#incoming, chunks);
    // Nobody makes a stream of it any more.
    this.#read = { content: '', isWhole: false };
    try {
      await pending;
    } catch (error) {
      this.#read = { content: joined(chunks), isWhole: false };
      throw error;
    }
    const bytes = joined(chunks);
    const text = utf8(bytes);
    this.#read = { content: text ?? bytes, isWhole: true };
    return text === undefined ? { ok: false, problem: 'not_utf8' } : { ok: true, text };
  }

  /** Of a method that has none. */
  get hasNoBody(): boolean {
    return this.method === 'GET' || this.method === 'HEAD';
  }

  get headers(): Headers {
    return this.#given.headers;
  }
  get body(): Request['body'] {
    return this.whole().body;
  }
  get bodyUsed(): boolean {
    return this.#read !== undefined || (this.#whole?.bodyUsed ?? false);
  }
  get cache(): Request['cache'] {
    return this.whole().cache;
  }
  get credentials(): Request['credentials'] {
    return this.whole().credentials;
  }
  get destination(): Request['destination'] {
    return this.whole().destination;
  }
  get duplex(): 'half' {
    return this.whole().duplex;
  }
  get integrity(): string {
    return this.whole().integrity;
  }
  get keepalive(): boolean {
    return this.whole().keepalive;
  }
  get mode(): Request['mode'] {
    return this.whole().mode;
  }
  get redirect(): Request['redirect'] {
    return this.whole().redirect;
  }
  get referrer(): string {
    return this.whole().referrer;
  }
  get referrerPolicy(): Request['referrerPolicy'] {
    return this.whole().referrerPolicy;
  }
  get signal(): Request['signal'] {
    return this.whole().signal;
  }
  clone(): Request {
    return this.whole().clone();
  }
  text(): Promise<string> {
    return this.whole().text();
  }
  json(): Promise<unknown> {
    return this.whole().json();
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.whole().arrayBuffer();
  }
  blob(): ReturnType<Request['blob']> {
    return this.whole().blob();
  }
  /** Newer than its type. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }
  formData(): ReturnType<Request['formData']> {
    return this.whole().formData();
  }
}

// So that it is one to whoever asks with `instanceof`.
Object.setPrototypeOf(ServedRequest.prototype, Request.prototype);

/** For whoever has to have one that any `fetch` could have been given. */
export function wholeRequest(request: Request): Request {
  return request instanceof ServedRequest ? request.whole() : request;
}

/** The application as the Node server and all others call it. */
export function atDoor(handler: FetchHandler): FetchHandler {
  return async (request) => {
    const incoming = incomingOf(request);
    if (incoming === undefined) return wholeResponse(await handler(request));
    // It writes a reply as it is.
    return handler(new ServedRequest(request, incoming, () => copyOf(request)));
  };
}

/** The Node server writes a {@link Reply} as it is; anybody else gets a `Response`. */
export function answerTo(request: Request, response: Response): Response {
  return incomingOf(request) === undefined ? wholeResponse(response) : response;
}

function copyOf(request: Request): Request {
  try {
    return copyRequest(request, request.body);
  } catch {
    // A method that no other request may have, such as TRACE.
    return request;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
