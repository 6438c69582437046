import { Problem } from './problem.ts';

const LIMIT = 64 * 1024;
/** Reading on a little lets an honest sender see the refusal instead of a broken connection. */
const PATIENCE = 8 * 1024 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/** The content as text, if it is of this media type and not too large. */
export async function readText(request: Request, mediaType: string): Promise<string> {
  const bytes = await readBytes(request);
  const given = (request.headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (given.trim().toLowerCase() !== mediaType) {
    throw new Problem(415, 'invalid_request', `The content has to be ${mediaType}.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(400, 'invalid_request', 'The content is not UTF-8.');
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size <= LIMIT) chunks.push(chunk);
    if (size > PATIENCE) break;
  }
  if (size > LIMIT) throw new Problem(413, 'invalid_request', 'The content is too large.');
  return Buffer.concat(chunks);
}

export async function readJson(request: Request): Promise<JsonObject> {
  const text = await readText(request, 'application/json');
  const value = parse(text);
  if (!isObject(value)) throw new Problem(400, 'invalid_request', 'A JSON object is needed.');
  return value;
}

/** RFC 6749 §3.2: no parameter twice; one without a value counts as left out. */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  const text = await readText(request, 'application/x-www-form-urlencoded');
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw new Problem(400, 'invalid_request', 'A parameter came twice.');
    form.set(name, value);
  }
  for (const [name, value] of form) if (value === '') form.delete(name);
  return form;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, 'invalid_request', 'The content is not JSON.');
  }
}
