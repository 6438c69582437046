/** What may not be kept: answers with tokens, states or errors (RFC 6749 §5.1). */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

interface ReplyInit {
  readonly status?: number;
  /** Names in lower case; they win over the defaults. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What nearly all JSON answers have: one object for all of them. */
const JSON_HEADERS = { 'content-type': 'application/json', ...NO_STORE } as const;

/** A JSON answer that is not cached. */
export function json(body: unknown, { status = 200, headers }: ReplyInit = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers },
  });
}

/** How long a public document may be kept, in seconds. */
export const PUBLIC_MAX_AGE = 300;

/**
 * A document for everybody that seldom changes: written when it is asked for first, a fresh answer each time.
 * @param version it is written again when this is another one. Default: never.
 */
export function publicDocument(
  write: () => object | string,
  contentType?: string,
  version: () => unknown = () => undefined,
): () => Response {
  let written: { readonly text: string; readonly version: unknown } | undefined;
  const init = publicInit(contentType);
  return () => {
    const now = version();
    if (written === undefined || written.version !== now) {
      written = { text: textOf(write()), version: now };
    }
    return new Response(written.text, init);
  };
}

/**
 * A document for everybody, as it is now. `Access-Control-Allow-Origin` is `*` because nothing in it
 * depends on who asks.
 */
export function publicReply(body: object | string, contentType?: string): Response {
  return new Response(textOf(body), publicInit(contentType));
}

function publicInit(contentType = 'application/json'): ResponseInit {
  return {
    headers: {
      'content-type': contentType,
      'cache-control': `public, max-age=${PUBLIC_MAX_AGE}`,
      'access-control-allow-origin': '*',
    },
  };
}

function textOf(body: object | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** An answer without a body. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...NO_STORE, ...headers } });
}

/** The answer to a form that was accepted: never 307, which would send the form again (RFC 9700 §4.12). */
export function seeOther(
  location: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(null, { status: 303, headers: { location, ...NO_STORE, ...headers } });
}
