/** Names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** An answer as it is written. */
export interface PlainReply {
  readonly status: number;
  /** Others may have the same object. */
  readonly headers: ReplyHeaders;
  readonly text: string | null;
  /** The header `Date`: each answer has it beside those that are written with it. */
  readonly date?: string | undefined;
}

/** All headers of an answer. */
export function headersOf({ date, headers }: PlainReply): ReplyHeaders {
  return date === undefined ? headers : { ...headers, date };
}

/** What a value may have that neither side changes or refuses: the rest is for `Headers` to judge. */
const PLAIN_VALUE = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** A null body status of the Fetch Standard. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * An answer whose body is a text. It becomes a `Response` when somebody looks at it as one: most are only
 * written, and a `Response` with its stream costs more than all the rest of a short answer.
 */
export class Reply implements Response {
  readonly #plain: PlainReply & { date?: string | undefined };
  #whole: Response | undefined;

  private constructor({ headers, status, text }: PlainReply) {
    this.#plain = { status, headers, text, date: undefined };
  }

  /** @throws what `Response` throws, for a status that has no body and a header that is none. */
  static of(plain: PlainReply): Response {
    return isPlain(plain) ? new Reply(plain) : responseOf(plain);
  }

  /** `undefined` once somebody has looked at it as a `Response`, who may have changed it. */
  get plain(): PlainReply | undefined {
    return this.#whole === undefined ? this.#plain : undefined;
  }

  /** From now on the answer. */
  whole(): Response {
    this.#whole ??= responseOf(this.#plain);
    return this.#whole;
  }

  setDate(date: string): void {
    if (this.#whole === undefined) this.#plain.date = date;
    else this.#whole.headers.set('date', date);
  }

  get status(): number {
    return this.#plain.status;
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  get headers(): Headers {
    return this.whole().headers;
  }
  get body(): Response['body'] {
    return this.whole().body;
  }
  get bodyUsed(): boolean {
    return this.#whole?.bodyUsed ?? false;
  }
  get redirected(): boolean {
    return false;
  }
  get statusText(): string {
    return '';
  }
  get type(): Response['type'] {
    return this.whole().type;
  }
  get url(): string {
    return '';
  }
  clone(): Response {
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
  blob(): ReturnType<Response['blob']> {
    return this.whole().blob();
  }
  /** Newer than its type. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }
  formData(): ReturnType<Response['formData']> {
    return this.whole().formData();
  }
}

// So that it is one to whoever asks with `instanceof`.
Object.setPrototypeOf(Reply.prototype, Response.prototype);

/** Whether it is written as it stands, with nothing for `Response` to add, mend or refuse. */
function isPlain({ headers, status, text }: PlainReply): boolean {
  if (status < 200 || status > 599) return false;
  const isTyped = headers['content-type'] !== undefined;
  if (text !== null && (!isTyped || BODILESS.has(status))) return false;
  for (const name in headers) {
    if (!PLAIN_VALUE.test(headers[name] ?? '')) return false;
  }
  return true;
}

function responseOf(plain: PlainReply): Response {
  return new Response(plain.text, { status: plain.status, headers: headersOf(plain) });
}

/** Sets the header `Date` of an answer, whatever it is. */
export function setDate(response: Response, date: string): void {
  if (response instanceof Reply) response.setDate(date);
  else response.headers.set('date', date);
}

/** For whoever has to have one that any `fetch` could have given. */
export function wholeResponse(response: Response): Response {
  return response instanceof Reply ? response.whole() : response;
}
