import {
  isJsonObject,
  isWireMessage,
  type JsonObject,
  type WireSchemaName,
} from '../../protocol/index.ts';
import { inferSchema, type MemberTexts } from './infer-schema.ts';
import type { SampleAnswer } from './operation.ts';

/** What the headers of answers are for; a header that is not here goes without saying. */
export const HEADER_TEXTS: Readonly<Record<string, string>> = {
  'www-authenticate':
    'What to authenticate with, and why the request was refused (RFC 9110 §11.6.1).',
  'retry-after': 'Seconds to wait before the same request is sent again (RFC 9110 §10.2.3).',
  location: 'Where to go on (RFC 9110 §10.2.2).',
  accept: 'The media type that the body has to have (RFC 9110 §12.5.1).',
  allow: 'The methods that this URL supports (RFC 9110 §10.2.1).',
  'cache-control': 'Whether the answer may be kept.',
  'content-language': 'The language of the description (RFC 8935 §2.3).',
  'set-cookie': 'The session of the browser.',
  vary: 'What of the request the answer depends on.',
  'access-control-allow-origin': 'Pages of every origin may read the answer.',
};

/** Those whose values tell something. */
const TELLING: ReadonlySet<string> = new Set([
  'www-authenticate',
  'retry-after',
  'location',
  'accept',
]);

/** Of an example, in characters: a body that somebody else described can be a megabyte. */
const LONGEST_EXAMPLE = 16_384;

interface Read {
  readonly answer: SampleAnswer;
  readonly status: number;
  readonly headers: Headers;
  readonly mediaType: string;
  readonly text: string;
  /** Where it is JSON. */
  readonly body: unknown;
}

/** The published schemas that a document has to hold. */
export type UsedSchemas = Set<WireSchemaName>;

/** The answers of an operation by their status, as OpenAPI describes them. */
export async function describeResponses(
  answers: readonly SampleAnswer[],
  used: UsedSchemas,
  texts: MemberTexts,
): Promise<JsonObject> {
  const read = await Promise.all(answers.map(readAnswer));
  const statuses = [...new Set(read.map(({ status }) => status))].sort((a, b) => a - b);
  const described = statuses.map((status) => {
    const group = read.filter((each) => each.status === status);
    return [String(status), describe(group, used, texts)] as const;
  });
  return Object.fromEntries(described);
}

async function readAnswer(answer: SampleAnswer): Promise<Read> {
  const response = await answer.response;
  const text = await response.text();
  const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
  const isJson = /[/+]json$/.test(mediaType) && text !== '';
  const { headers, status } = response;
  return { answer, status, headers, mediaType, text, body: isJson ? parsed(text) : undefined };
}

/** Undefined for a text that is no JSON, whatever its media type says. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(group: readonly Read[], used: UsedSchemas, texts: MemberTexts): JsonObject {
  const types = [...new Set(group.map(({ mediaType }) => mediaType))].filter((type) => type !== '');
  const content = types.map((type) => {
    const ofType = group.filter(({ mediaType, text }) => mediaType === type && text !== '');
    return [type, mediaTypeObject(ofType, used, texts)] as const;
  });
  const headers = headersOf(group);
  return {
    description: descriptionOf(group),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  };
}

/** A refusal by its code; whatever says the same twice is said once. */
function descriptionOf(group: readonly Read[]): string {
  const sentences = group.map(({ answer, body, status }) => {
    const code = isJsonObject(body) ? (body['error'] ?? body['err']) : undefined;
    const named = status >= 400 && typeof code === 'string' ? `\`${code}\`: ` : '';
    return named + answer.description;
  });
  const [first = '', ...others] = new Set(sentences);
  return others.length === 0 ? first : [first, ...others].map((each) => `- ${each}`).join('\n');
}

function headersOf(group: readonly Read[]): JsonObject {
  const names = Object.keys(HEADER_TEXTS).filter((name) =>
    group.some(({ headers }) => headers.has(name)),
  );
  const entries = names.map((name) => {
    const wire = headerName(name);
    if (!TELLING.has(name)) return [wire, { $ref: `#/components/headers/${wire}` }] as const;
    const [example = ''] = group.flatMap(({ headers }) => headers.get(name) ?? []);
    return [wire, { ...headerObject(name), example }] as const;
  });
  return Object.fromEntries(entries);
}

/** A header of the components. */
export function headerObject(name: string): JsonObject {
  return { description: HEADER_TEXTS[name] ?? '', schema: { type: 'string' } };
}

/** As it is usually written. */
export function headerName(name: string): string {
  if (name === 'www-authenticate') return 'WWW-Authenticate';
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function mediaTypeObject(
  group: readonly Read[],
  used: UsedSchemas,
  texts: MemberTexts,
): JsonObject {
  const bodies = group.flatMap(({ body }) => (body === undefined ? [] : [body]));
  if (bodies.length === 0) return { schema: { type: 'string' }, ...shownText(group) };
  const examples = group.flatMap(({ answer, body, text }) =>
    body === undefined || answer.shown === false || text.length > LONGEST_EXAMPLE
      ? []
      : [[answer.name, { summary: answer.description, value: body }] as const],
  );
  return {
    schema: schemaOf(group, used, texts),
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
}

function shownText(group: readonly Read[]): JsonObject {
  const shown = group.find(
    ({ answer, text }) => answer.shown === true && text.length <= LONGEST_EXAMPLE && text !== '',
  );
  return shown === undefined ? {} : { example: shown.text };
}

/** The published schema of each body that has it, and one more for all others. */
function schemaOf(group: readonly Read[], used: UsedSchemas, texts: MemberTexts): JsonObject {
  const published = new Set<WireSchemaName>();
  const others: unknown[] = [];
  for (const { answer, body } of group) {
    if (answer.wire !== undefined && isWireMessage(answer.wire, body)) published.add(answer.wire);
    else if (body !== undefined) others.push(body);
  }
  for (const name of published) used.add(name);
  const schemas = [
    ...[...published].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    ...(others.length === 0 ? [] : [withCodes(inferSchema(others, texts), others)]),
  ];
  return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
}

/** The codes that a refusal can have. */
function withCodes(schema: JsonObject, bodies: readonly unknown[]): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const listed = ['error', 'err'].flatMap((name) => {
    const property = properties[name];
    const codes = bodies.map((body) => (isJsonObject(body) ? body[name] : undefined));
    if (!isJsonObject(property) || !codes.every((code) => typeof code === 'string')) return [];
    return [[name, { ...property, enum: [...new Set(codes)] }] as const];
  });
  return { ...schema, properties: { ...properties, ...Object.fromEntries(listed) } };
}
