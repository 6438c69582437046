import { isJsonObject, type JsonObject, wireJsonSchema } from '../../protocol/index.ts';
import { MISDIRECTED } from '../http/index.ts';
import {
  describeResponses,
  HEADER_TEXTS,
  headerName,
  headerObject,
  type UsedSchemas,
} from './describe-responses.ts';
import { inferSchema, type MemberTexts } from './infer-schema.ts';
import type { Operation, SampleBody } from './operation.ts';
import { shareResponses } from './share-responses.ts';

interface ApiDocumentOptions {
  readonly title: string;
  readonly description: string;
  /** Of the mock: every path is below it. */
  readonly issuer: string;
  readonly operations: readonly Operation[];
  /** By name, in the order in which they are shown. */
  readonly tags: Readonly<Record<string, string>>;
  readonly securitySchemes: JsonObject;
  /** What members mean, by their names. */
  readonly texts: MemberTexts;
}

/** The version of the protocol's description, not of a program. */
const VERSION = '1.0.0';

/** An OpenAPI 3.1 document of a mock. */
export async function writeApiDocument(options: ApiDocumentOptions): Promise<JsonObject> {
  const { description, issuer, operations, securitySchemes, tags, texts, title } = options;
  const used: UsedSchemas = new Set();
  const written: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const described = await describeOperation(operation, used, texts);
    const { method, path } = operation;
    written[path] = { ...written[path], [method.toLowerCase()]: described };
  }
  const { paths, responses } = shareResponses(written);
  const headers = Object.keys(HEADER_TEXTS).map(
    (name) => [headerName(name), headerObject(name)] as const,
  );
  const schemas = [...used].sort().map((name) => [name, wireJsonSchema(name)] as const);
  const present = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: '3.1.1',
    info: { title, description, version: VERSION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: issuer }],
    tags: Object.entries(tags)
      .filter(([name]) => present.has(name))
      .map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes,
      schemas: Object.fromEntries(schemas),
      headers: Object.fromEntries(headers),
      responses: { ...responses, Misdirected: MISDIRECTED_RESPONSE },
    },
  };
}

const MISDIRECTED_RESPONSE = {
  description: 'The request names a host that is not this server.',
  content: {
    'text/plain': { schema: { type: 'string' }, example: `${MISDIRECTED}\n` },
    'text/html': { schema: { type: 'string' } },
  },
};

async function describeOperation(
  operation: Operation,
  used: UsedSchemas,
  texts: MemberTexts,
): Promise<JsonObject> {
  const { answers, bodies, bodyOptional, description, id, parameters, security, summary, tag } =
    operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(parameters && { parameters }),
    ...(bodies && {
      requestBody: {
        required: bodyOptional !== true,
        content: Object.fromEntries(
          bodies.map((body) => [body.mediaType, describeBody(body, texts)]),
        ),
      },
    }),
    security: security ?? [],
    responses: {
      ...(await describeResponses(answers, used, texts)),
      '421': { $ref: '#/components/responses/Misdirected' },
    },
  };
}

/** What a member is that stands for one of a few words. */
const WORDS: ReadonlySet<string> = new Set(['type', 'grant_type', 'decision', 'action']);

function describeBody({ examples, schema }: SampleBody, texts: MemberTexts): JsonObject {
  const values = Object.values(examples);
  return {
    schema: schema ?? withWords(inferSchema(values, texts), values),
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, value]) => [name, { value }] as const),
    ),
  };
}

function withWords(schema: JsonObject, values: readonly unknown[]): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const entries = Object.entries(properties).map(([name, property]) => {
    if (!WORDS.has(name) || !isJsonObject(property)) return [name, property] as const;
    const words = values.flatMap((value) => (isJsonObject(value) ? (value[name] ?? []) : []));
    return [name, { ...property, enum: [...new Set(words)] }] as const;
  });
  return { ...schema, properties: Object.fromEntries(entries) };
}
