import type { Context } from 'hono';
import {
  isStorableText,
  type JsonObject,
  type JsonProblem,
  MAX_BODY_BYTES,
  MAX_JSON_DEPTH,
  MEDIA_TYPE,
  parseJsonObject,
  type Surface,
} from '../../protocol/index.ts';
import { type BodyResult, readBody } from '../../runtime/index.ts';
import type { Form } from './form.ts';
import { transportProblem, type WireProblem, wireProblem } from './problems.ts';
import { hasReadingFault, type READING_FAULTS } from './reading-faults.ts';

const JSON_PROBLEM: Readonly<Record<JsonProblem, string>> = {
  not_json: 'The body is not JSON.',
  not_an_object: 'The body is not a JSON object.',
  too_deep: `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
  duplicate_member: 'The body has a member twice.',
  unstorable_text: 'The body has text with U+0000 or an unpaired surrogate.',
};

/** The JSON object in a request. Throws the problem that the surface's envelope renders. */
export async function readJsonObject(c: Context, surface: Surface): Promise<JsonObject> {
  const text = await readText(c, MEDIA_TYPE.json);
  const result = parseJsonObject(text);
  if (!result.ok) {
    if (isOverlooked(c, result.problem)) return JSON.parse(text) as JsonObject;
    throw invalid(surface, JSON_PROBLEM[result.problem]);
  }
  return has(c, 'protoFollowed') ? assigned(result.value) : result.value;
}

/** What a mock does not see, or breaks on, when it was told so. */
function isOverlooked(c: Context, problem: JsonProblem): boolean {
  if (problem === 'too_deep' && has(c, 'deepBreaks')) throw new RangeError('Out of stack.');
  if (problem === 'not_json' && has(c, 'malformedBreaks')) throw new SyntaxError('Not JSON.');
  return (
    (problem === 'duplicate_member' && has(c, 'duplicatesTaken')) ||
    (problem === 'unstorable_text' && has(c, 'unstorableTaken'))
  );
}

/** Copied member by member, by which `__proto__` becomes the prototype. */
function assigned(value: JsonObject): JsonObject {
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = member;
  return copy;
}

/** The form in a request (RFC 6749 appendix B). A parameter given twice is refused, known or not. */
export async function readForm(c: Context, surface: Surface): Promise<Form> {
  if (mediaTypeOf(c) === MEDIA_TYPE.json && has(c, 'jsonFormsTaken')) {
    const members = await readJsonObject(c, surface);
    return { get: (name) => (members[name] === undefined ? undefined : String(members[name])) };
  }
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await readText(c, MEDIA_TYPE.form))) {
    if (values.has(name) && !has(c, 'repeatedParameterTaken')) {
      throw invalid(surface, 'A parameter is given twice.');
    }
    if (!isStorableText(name) || !isStorableText(value)) {
      throw invalid(surface, 'A parameter has text with U+0000 or an unpaired surrogate.');
    }
    values.set(name, value);
  }
  if (has(c, 'emptyValuesKept')) return { get: (name) => values.get(name) };
  return { get: (name) => values.get(name) || undefined };
}

/** The text in a request of one media type; its parameters do not matter. At most 64 KiB. */
export async function readText(c: Context, mediaType: string): Promise<string> {
  if (!hasMediaType(c, mediaType)) {
    throw transportProblem('unsupported_media_type', {
      description: `The body must be ${mediaType}.`,
      headers: { accept: mediaType },
    });
  }
  // A compressed body would need a cap of its own, so none is taken.
  if ((c.req.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    if (has(c, 'compressedTaken')) return unpacked(c.req.raw);
    throw transportProblem('unsupported_media_type', {
      description: 'The body must not be compressed.',
    });
  }
  const body = await read(
    c.req.raw,
    has(c, 'anyLength') ? Number.POSITIVE_INFINITY : MAX_BODY_BYTES,
  );
  if (body.ok) return body.text;
  throw transportProblem(body.problem === 'too_large' ? 'payload_too_large' : 'unreadable_body');
}

/** A parameter of the address. `undefined` when it is missing, empty, or text that cannot be stored. */
export function readQuery(c: Context, name: string): string | undefined {
  const value = c.req.query(name);
  return value && isStorableText(value) ? value : undefined;
}

function hasMediaType(c: Context, mediaType: string): boolean {
  if (has(c, 'anyMediaType')) return true;
  if (has(c, 'mediaTypeParametersRefused')) return c.req.header('content-type') === mediaType;
  return mediaTypeOf(c) === mediaType;
}

async function unpacked(request: Request): Promise<string> {
  const packed = request.body ?? new ReadableStream<Uint8Array>();
  const { body } = new Response(packed.pipeThrough(new DecompressionStream('gzip') as never));
  return new Response(body).text();
}

/** Lower case, without parameters; empty when there is none. */
export function mediaTypeOf(c: Context): string {
  return (c.req.header('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

async function read(request: Request, limit: number): Promise<BodyResult> {
  try {
    return await readBody(request, limit);
  } catch {
    // The peer went away, or sent something that is no body.
    throw transportProblem('unreadable_body');
  }
}

function has(c: Context, fault: keyof typeof READING_FAULTS): boolean {
  return hasReadingFault(c.req.raw, fault);
}

function invalid(surface: Surface, description: string): WireProblem {
  return wireProblem(surface, 'invalid_request', { description });
}
