import type { Surface } from '../../protocol/codes.ts';
import { MAX_BODY_BYTES, MAX_JSON_DEPTH, MEDIA_TYPE } from '../../protocol/constants.ts';
import {
  type JsonObject,
  type JsonProblem,
  type JsonResult,
  parseJsonObject,
} from '../../protocol/json.ts';
import { mediaTypeOf } from '../../protocol/media-type.ts';
import { isStorableText } from '../../protocol/text.ts';
import { type BodyResult, readBody } from '../../runtime/read-body.ts';
import { connectionOf } from './connection.ts';
import { invalidRequest, transportProblem, type WireProblem } from './response.ts';

/** A request at its route: as much of the router's own context as a handler needs, in our own words. */
export interface Context {
  readonly req: {
    readonly raw: Request;
    readonly method: string;
    readonly url: string;
    header(name: string): string | undefined;
    /** The first of that name. */
    query(name: string): string | undefined;
    /** A part of the path that the route's pattern names. */
    param(name: string): string | undefined;
  };
}

const PROBLEM: Readonly<Record<JsonProblem | FormProblem, string>> = {
  not_json: 'The body is not JSON.',
  not_an_object: 'The body is not a JSON object.',
  too_deep: `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
  duplicate_member: 'The body has a member twice.',
  unstorable_text: 'The body has text with U+0000 or an unpaired surrogate.',
  repeated_parameter: 'A parameter is given twice.',
  unstorable_parameter: 'A parameter has text with U+0000 or an unpaired surrogate.',
};

/** The JSON object in a request. Throws the problem that the surface's envelope renders. */
export async function readJsonObject(
  reader: BodyReader,
  c: Context,
  surface: Surface,
): Promise<JsonObject> {
  const result = reader.json(await readText(reader, c, MEDIA_TYPE.json));
  if (result.ok) return result.value;
  throw invalidRequest(surface, PROBLEM[result.problem]);
}

/** The form in a request. */
export async function readForm(reader: BodyReader, c: Context, surface: Surface): Promise<Form> {
  const result = reader.form(await readText(reader, c, MEDIA_TYPE.form));
  if (result.ok) return result.form;
  throw invalidRequest(surface, PROBLEM[result.problem]);
}

/** The text in a request of one media type. */
export async function readText(reader: BodyReader, c: Context, mediaType: string): Promise<string> {
  if (reader.accepts(c.req.raw, mediaType)) return reader.text(c.req.raw, reader.maxBytes);
  throw transportProblem('unsupported_media_type', {
    description: `The body must be ${mediaType}.`,
    headers: { accept: mediaType },
  });
}

/** A parameter of the query. `undefined` when it is missing, empty, or text that cannot be stored. */
export function readQuery(c: Context, name: string): string | undefined {
  const value = c.req.query(name);
  return value && isStorableText(value) ? value : undefined;
}

type FormProblem = 'repeated_parameter' | 'unstorable_parameter';

export type FormResult =
  | { readonly ok: true; readonly form: Form }
  | { readonly ok: false; readonly problem: FormProblem };

/** How the body of a request is read, step by step. Throws where there is nothing to read. */
export interface BodyReader {
  /** The longest body that is read, in bytes. */
  readonly maxBytes: number;
  /** Whether the body has that media type; its parameters do not matter (RFC 9110 §8.3.1). */
  accepts(request: Request, mediaType: string): boolean;
  /** @throws WireProblem for a body that is compressed, too long, or breaks off. */
  text(request: Request, maxBytes: number): Promise<string>;
  json(text: string): JsonResult;
  form(text: string): FormResult;
}

export const bodyReader: BodyReader = {
  maxBytes: MAX_BODY_BYTES,
  accepts: (request, mediaType) => mediaTypeOf(request) === mediaType,
  text: textOf,
  json: parseJsonObject,
  form: parseForm,
};

async function textOf(request: Request, maxBytes: number): Promise<string> {
  // A compressed body would need a cap of its own, so none is taken.
  if ((request.headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw transportProblem('unsupported_media_type', {
      description: 'The body must not be compressed.',
    });
  }
  // The peer may go away, or send something that is no body.
  const body = await bodyOf(request, maxBytes).catch(() => undefined);
  if (body?.ok) return body.text;
  throw transportProblem(body?.problem === 'too_large' ? 'payload_too_large' : 'unreadable_body');
}

/** A stream costs more than the rest of a short request; Node reads no more of a body than its length says. */
async function bodyOf(request: Request, maxBytes: number): Promise<BodyResult> {
  const length = connectionOf(request) && request.headers.get('content-length');
  if (!length || Number(length) > maxBytes) return readBody(request, maxBytes);
  try {
    return { ok: true, text: UTF8.decode(await request.arrayBuffer()) };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, problem: 'not_utf8' };
    throw error;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** RFC 6749 appendix B. A parameter given twice is refused, known or not; a token may be for several resources. */
function parseForm(text: string): FormResult {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values.get(name);
    if (before !== undefined && name !== 'resource')
      return { ok: false, problem: 'repeated_parameter' };
    if (!isStorableText(name) || !isStorableText(value)) {
      return { ok: false, problem: 'unstorable_parameter' };
    }
    const all = before ?? [];
    if (value !== '' && !all.includes(value)) all.push(value);
    if (before === undefined) values.set(name, all);
  }
  const getAll = (name: string) => values.get(name) ?? [];
  return { ok: true, form: { get: (name) => values.get(name)?.[0], getAll } };
}

/** The parameters of a form, each given once, but for `resource` (RFC 8707 §2). */
export interface Form {
  /** `undefined` when missing or empty: the two are the same (RFC 6749 §3.2). */
  get(name: string): string | undefined;
  /** The different values of a parameter, in order. */
  getAll(name: string): readonly string[];
}

/** Renders a problem in the shape of one endpoint. The only places that write an error body. */
export type Envelope = (problem: WireProblem, request: Request) => Response | Promise<Response>;

export interface Route {
  /** `GET` answers HEAD as well. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A hono pattern. Of two patterns that match a path, the first one listed answers. */
  readonly path: string;
  /** The envelope of its answers, in which a wrong method on this path is answered, too. */
  readonly envelope: Envelope;
  /**
   * Pages of other origins may call it where the mock has the option `cors`. For what programs call with
   * a token or nothing at all, never for what a cookie opens.
   */
  readonly crossOrigin?: true;
  /** Refuses before anything is looked at, the method included, by throwing a problem. */
  guard?(c: Context): void;
  handle(c: Context): Response | Promise<Response>;
}

/**
 * The path of a URL, without its query: what `new URL(url).pathname` is of one that the URL parser wrote, as
 * every `Request` has it. Asked several times for each request, so nothing is parsed again.
 */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  for (let end = start; end < url.length; end += 1) {
    const code = url.charCodeAt(end);
    // A question mark or a number sign.
    if (code === 0x3f || code === 0x23) return url.slice(start, end);
  }
  return url.slice(start);
}

/**
 * Whether a browser opens this URL: a GET or HEAD that names HTML among what it accepts, or a form that it sends,
 * which a browser alone marks as a navigation (Fetch Metadata §2.2). Programs name JSON, a wildcard or nothing.
 */
export function wantsPage({ headers, method }: Request): boolean {
  const isOpened = method === 'GET' || method === 'HEAD';
  if (!isOpened && headers.get('sec-fetch-mode') !== 'navigate') return false;
  const ranges = (headers.get('accept') ?? '').toLowerCase().split(',');
  return ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return type === 'text/html' && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each));
  });
}

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The credentials of a request; `token` is missing when it is malformed. */
export interface BearerCredentials {
  readonly token: string | undefined;
}

/** Undefined when a request has none. */
export type ReadCredentials = (
  request: Request,
) => BearerCredentials | undefined | Promise<BearerCredentials | undefined>;

/** The credentials of the Authorization field alone (RFC 6750 §2.1). */
export const bearerCredentials: ReadCredentials = ({ headers }) => {
  const field = headers.get('authorization');
  if (field === null || !/^bearer(?: |$)/i.test(field)) return undefined;
  return { token: BEARER.exec(field)?.[1] };
};
