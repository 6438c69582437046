import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import { rewire } from '../../../../src/mock-service/index.ts';

const { withJson } = rewire;

export type Json = Readonly<Record<string, unknown>>;

export const isJson = ({ headers }: Response) =>
  (headers.get('content-type') ?? '').startsWith('application/json');

/** The listing, wherever it is. */
export const inListing = (path: string, response: Response) =>
  /^(\/v2)?\/api\/services\.json$/.test(path) && isJson(response);

export const at =
  (wanted: string) =>
  (path: string, response: Response): boolean =>
    path === wanted && isJson(response);

export const guarded = (path: string, { status }: Response) =>
  path.startsWith('/v2/') && status === 401;

export function withMeta(change: (meta: Json) => Json): Tamper {
  return withJson((body) => ({ ...body, meta: change((body['meta'] ?? {}) as Json) }));
}

export function withEach(change: (entry: Json, index: number) => Json): Tamper {
  return withJson(({ data, ...body }) => ({
    ...body,
    data: Array.isArray(data) ? (data as readonly Json[]).map(change) : data,
  }));
}

export function withMethods(change: (methods: readonly Json[]) => readonly Json[]): Tamper {
  return withEach((service) => ({
    ...service,
    methods: change((service['methods'] ?? []) as readonly Json[]),
  }));
}
