import type { Surface } from '../../protocol/codes.ts';
import { MAX_JSON_DEPTH, MEDIA_TYPE } from '../../protocol/constants.ts';
import type { JsonObject, JsonProblem } from '../../protocol/json.ts';
import { isStorableText } from '../../protocol/text.ts';
import type { BodyReader, Form, FormProblem } from './body-reader.ts';
import type { Context } from './context.ts';
import { invalidRequest, transportProblem } from './problems.ts';

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
