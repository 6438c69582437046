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

const JSON_PROBLEM: Readonly<Record<JsonProblem, string>> = {
  not_json: 'The body is not JSON.',
  not_an_object: 'The body is not a JSON object.',
  too_deep: `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
  duplicate_member: 'The body has a member twice.',
  unstorable_text: 'The body has text with U+0000 or an unpaired surrogate.',
};

/** The JSON object in a request. Throws the problem that the surface's envelope renders. */
export async function readJsonObject(c: Context, surface: Surface): Promise<JsonObject> {
  const result = parseJsonObject(await readText(c, MEDIA_TYPE.json));
  if (!result.ok) throw invalid(surface, JSON_PROBLEM[result.problem]);
  return result.value;
}

/** The form in a request (RFC 6749 appendix B). A parameter given twice is refused, known or not. */
export async function readForm(c: Context, surface: Surface): Promise<Form> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await readText(c, MEDIA_TYPE.form))) {
    if (values.has(name)) throw invalid(surface, 'A parameter is given twice.');
    if (!isStorableText(name) || !isStorableText(value)) {
      throw invalid(surface, 'A parameter has text with U+0000 or an unpaired surrogate.');
    }
    values.set(name, value);
  }
  return { get: (name) => values.get(name) || undefined };
}

/** The text in a request of one media type; its parameters do not matter. At most 64 KiB. */
export async function readText(c: Context, mediaType: string): Promise<string> {
  if (mediaTypeOf(c) !== mediaType) {
    throw transportProblem('unsupported_media_type', {
      description: `The body must be ${mediaType}.`,
      headers: { accept: mediaType },
    });
  }
  // A compressed body would need a cap of its own, so none is taken.
  if ((c.req.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw transportProblem('unsupported_media_type', {
      description: 'The body must not be compressed.',
    });
  }
  const body = await read(c.req.raw);
  if (body.ok) return body.text;
  throw transportProblem(body.problem === 'too_large' ? 'payload_too_large' : 'unreadable_body');
}

/** A parameter of the address. `undefined` when it is missing, empty, or text that cannot be stored. */
export function readQuery(c: Context, name: string): string | undefined {
  const value = c.req.query(name);
  return value && isStorableText(value) ? value : undefined;
}

/** Lower case, without parameters; empty when there is none. */
export function mediaTypeOf(c: Context): string {
  return (c.req.header('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

async function read(request: Request): Promise<BodyResult> {
  try {
    return await readBody(request, MAX_BODY_BYTES);
  } catch {
    // The peer went away, or sent something that is no body.
    throw transportProblem('unreadable_body');
  }
}

function invalid(surface: Surface, description: string): WireProblem {
  return wireProblem(surface, 'invalid_request', { description });
}
