/** How much of a peer's own words a sentence quotes. */
const MAX_WORDS = 200;

/** A peer's answer, as it came. Reading never throws: what is missing is undefined. */
export class Answer {
  readonly status: number;
  /** Names in lower case, in the order of their arrival; a name may stand twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Milliseconds from sending to the last byte. */
  readonly duration: number;
  /** Number of the exchange in its scenario. */
  readonly exchange: number;
  #json: { readonly value: unknown } | undefined;

  constructor(
    status: number,
    headers: Answer['headers'],
    text: string,
    duration: number,
    exchange: number,
  ) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.duration = duration;
    this.exchange = exchange;
  }

  /** 2xx, and no error in it: that is a refusal with the wrong status. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300 && !this.#isError;
  }

  /** 4xx, or an error with a 2xx: refused, and not a failure of the peer. */
  get refused(): boolean {
    return (this.status >= 400 && this.status < 500) || (this.status < 300 && this.#isError);
  }

  /** Whether it has `error` (RFC 6749 §5.2) or `err` (RFC 8935 §2.3), and nothing that gives access. */
  get #isError(): boolean {
    const error = this.member('error') ?? this.member('err');
    const isNamed = isObject(error) || (typeof error === 'string' && error !== '');
    return isNamed && !this.string('access_token') && !this.string('identity_assertion');
  }

  /** All lines of that name, joined as RFC 9110 §5.3 does. */
  header(name: string): string | undefined {
    const lines = this.headerLines(name);
    return lines.length === 0 ? undefined : lines.join(', ');
  }

  headerLines(name: string): readonly string[] {
    return this.headers.filter(([other]) => other === name).map(([, value]) => value);
  }

  /** The type of `Content-Type`, without parameters, in lower case. */
  get mediaType(): string {
    return (this.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  }

  /** Directives of `Cache-Control`, in lower case. */
  get cacheControl(): readonly string[] {
    return (this.header('cache-control') ?? '')
      .toLowerCase()
      .split(',')
      .map((directive) => directive.trim());
  }

  /** The body as JSON; undefined when it is none. */
  get json(): unknown {
    this.#json ??= { value: parseJson(this.text) };
    return this.#json.value;
  }

  /** A member of the body, when the body is a JSON object. */
  member(name: string): unknown {
    const value = this.json;
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }

  /** A string member of the body. */
  string(name: string): string | undefined {
    const value = this.member(name);
    return typeof value === 'string' ? value : undefined;
  }

  /**
   * The error code, in any of the shapes that services use: `error`, a nested `error.code`, `err`,
   * `code`.
   */
  get errorCode(): string | undefined {
    const error = this.member('error');
    if (isObject(error)) return typeof error['code'] === 'string' ? error['code'] : undefined;
    return typeof error === 'string' ? error : (this.string('err') ?? this.string('code'));
  }

  /** What the answer says of its error in words, in any of the shapes that services use. */
  get errorText(): string | undefined {
    const error = this.member('error');
    const nested = isObject(error) ? error['message'] : undefined;
    const words = [
      this.string('error_description'),
      this.string('message'),
      this.string('description'),
      typeof nested === 'string' ? nested : undefined,
    ].find((text) => text !== undefined && text.trim() !== '');
    return words?.replace(/\s+/g, ' ').trim();
  }

  /** `400 invalid_grant, “The code has expired.”`, for sentences of a report. */
  describe(): string {
    const code = this.errorCode;
    const head = code === undefined ? `${this.status}` : `${this.status} ${code}`;
    const { errorText = '' } = this;
    if (errorText === '' || errorText === code) return head;
    return `${head}, “${errorText.length > MAX_WORDS ? `${errorText.slice(0, MAX_WORDS)}…` : errorText}”`;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
