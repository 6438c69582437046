import type { JsonObject, WireSchemaName } from '../../protocol/index.ts';
import type { Route } from '../http/index.ts';

/** An answer that an operation can give, made by what makes it in earnest. */
export interface SampleAnswer {
  /** Names the example; once for each status of an operation. */
  readonly name: string;
  /** What the answer means, in one sentence. */
  readonly description: string;
  readonly response: Response | Promise<Response>;
  /** The published schema that its body has, where the body has it. */
  readonly wire?: WireSchemaName;
  /** Whether its body is shown as an example. Default: where it is JSON. */
  readonly shown?: boolean;
}

/** A body that an operation takes. */
export interface SampleBody {
  readonly mediaType: string;
  /** By the name of the example. Texts, where the media type is none of JSON or a form. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** In place of the one that the examples show. */
  readonly schema?: JsonObject;
}

/** An operation of a mock, as its document tells it. */
export interface Operation {
  readonly method: Route['method'];
  /** As OpenAPI writes it: `/connections`, `/c/{token}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  /** A few words. */
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly JsonObject[];
  readonly bodies?: readonly SampleBody[];
  /** Whether the body may be left out. Default: it is required. */
  readonly bodyOptional?: true;
  /** Default: none is needed. */
  readonly security?: readonly JsonObject[];
  readonly answers: readonly SampleAnswer[];
}

/** A parameter of the query. */
export function queryParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, schema };
}

/** A parameter of the path. */
export function pathParameter(name: string, description: string, example?: string): JsonObject {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
    ...(example !== undefined && { example }),
  };
}
