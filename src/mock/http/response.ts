import { type CodeAt, type Surface, wireCode } from '../../protocol/codes.ts';
import type { JsonObject } from '../../protocol/json.ts';

type Headers = Readonly<Record<string, string>>;

/** A refusal on its way to an envelope. Thrown by handlers; its text is public. */
export class WireProblem extends Error {
  override readonly name = 'WireProblem';
  /** `transport`: the request did not get as far as an endpoint's own rules. */
  readonly surface: Surface | 'transport';
  /** The value of `error` (or `err`) on the wire. */
  readonly code: string;
  readonly status: number;
  readonly description: string;
  /** Further members of the body, wire names. */
  readonly members: JsonObject;
  /** Names in lower case. */
  readonly headers: Headers;

  constructor(problem: Omit<WireProblem, keyof Error>) {
    // For who calls a control in a test: the code alone says neither what was wrong nor what is right.
    super(`${problem.code}: ${problem.description}`);
    this.surface = problem.surface;
    this.code = problem.code;
    this.status = problem.status;
    this.description = problem.description;
    this.members = problem.members;
    this.headers = problem.headers;
  }
}

interface ProblemOptions {
  readonly description?: string;
  readonly members?: JsonObject;
  readonly headers?: Headers;
}

/**
 * A problem of the list of wire codes; status and description come from there.
 * @throws RangeError when the surface does not define the code.
 */
export function wireProblem<S extends Surface>(
  surface: S,
  code: CodeAt<S>,
  { description, members = {}, headers = {} }: ProblemOptions = {},
): WireProblem {
  const entry = wireCode(surface, code);
  if (entry === undefined) throw new RangeError(`${surface} defines no code ${code}.`);
  return new WireProblem({
    surface,
    code,
    status: entry.status,
    description: description ?? entry.description,
    members,
    headers: { ...HEADERS[entry.status], ...headers },
  });
}

/** A request that an endpoint cannot take. @param description what is wrong with it. */
export function invalidRequest(surface: Surface, description: string): WireProblem {
  return wireProblem(surface, 'invalid_request', { description });
}

/** What comes with a status wherever it is answered. The rest of a body that is too long is not read. */
const HEADERS: Readonly<Record<number, Headers>> = {
  413: { connection: 'close' },
  503: { 'retry-after': '1' },
};

const TRANSPORT = {
  not_found: { status: 404, code: 'not_found', description: 'Nothing was found at this URL.' },
  method_not_allowed: {
    status: 405,
    code: 'invalid_request',
    description: 'This URL does not support that method.',
  },
  unsupported_media_type: {
    status: 415,
    code: 'invalid_request',
    description: 'The body has the wrong media type.',
  },
  payload_too_large: {
    status: 413,
    code: 'invalid_request',
    description: 'The body is larger than 64 KiB.',
  },
  bad_query: {
    status: 400,
    code: 'invalid_request',
    description: 'The query of this URL cannot be read.',
  },
  unreadable_body: {
    status: 400,
    code: 'invalid_request',
    description: 'The body is incomplete or not UTF-8.',
  },
  unavailable: {
    status: 503,
    code: 'temporarily_unavailable',
    description: 'The server cannot answer right now.',
  },
} as const;

/** A problem that every endpoint can have, whatever it does. */
export function transportProblem(
  kind: keyof typeof TRANSPORT,
  { description, members = {}, headers = {} }: ProblemOptions = {},
): WireProblem {
  const entry = TRANSPORT[kind];
  return new WireProblem({
    surface: 'transport',
    code: entry.code,
    status: entry.status,
    description: description ?? entry.description,
    members,
    headers: { ...HEADERS[entry.status], ...headers },
  });
}

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
