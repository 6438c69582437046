import {
  type AnswerFault,
  type Spoil,
  withHeader,
  withJson,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';
import { DIRECTORY_FORMAT_FAULTS } from './directory-format-faults.ts';

/** What the mock service can be told to decide wrongly in the service directory. */
export const DIRECTORY_FAULTS = {
  callbackUnchecked: 'takes any text as the name of a callback (attack A-33)',
  callbackLong: 'takes names of callbacks of any length',
  requestsUncounted: 'does not count the calls of its directory',
  emptyCounted: 'counts calls of its directory that are answered without data',
} as const satisfies Readonly<Record<string, string>>;

type Json = Readonly<Record<string, unknown>>;

const isJson = ({ headers }: Response) =>
  (headers.get('content-type') ?? '').startsWith('application/json');

/** The listing, wherever it is. */
const inListing = (path: string, response: Response) =>
  /^(\/v2)?\/api\/services\.json$/.test(path) && isJson(response);

const at =
  (wanted: string) =>
  (path: string, response: Response): boolean =>
    path === wanted && isJson(response);

const guarded = (path: string, { status }: Response) => path.startsWith('/v2/') && status === 401;

function withMeta(change: (meta: Json) => Json): Spoil {
  return withJson((body) => ({ ...body, meta: change((body['meta'] ?? {}) as Json) }));
}

function withEach(change: (entry: Json, index: number) => Json): Spoil {
  return withJson(({ data, ...body }) => ({
    ...body,
    data: Array.isArray(data) ? (data as readonly Json[]).map(change) : data,
  }));
}

function withMethods(change: (methods: readonly Json[]) => readonly Json[]): Spoil {
  return withEach((service) => ({
    ...service,
    methods: change((service['methods'] ?? []) as readonly Json[]),
  }));
}

/** What it can be told to answer wrongly in the service directory. */
export const DIRECTORY_ANSWER_FAULTS = {
  ...DIRECTORY_FORMAT_FAULTS,
  directoryKeyed: {
    says: 'asks for a key at its listing (service-directory.md, Authentication)',
    at: inListing,
    spoil: withStatus(401),
  },
  servicesByName: {
    says: 'lists services in an object instead of a list',
    at: inListing,
    spoil: withJson(({ data, ...body }) => ({ ...body, data: { ...(data as Json) } })),
  },
  requestsAsText: {
    says: 'writes meta.requests as text',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, requests: String(meta['requests']) })),
  },
  timestampInMilliseconds: {
    says: 'writes meta.timestamp in milliseconds',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, timestamp: 1000 * Number(meta['timestamp']) })),
  },
  statusAsText: {
    says: 'writes meta.status as a word',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, status: 'ok' })),
  },
  noMessage: {
    says: 'leaves meta.message out',
    at: inListing,
    spoil: withMeta(({ message: _message, ...meta }) => meta),
  },
  otherMessage: {
    says: 'says OK in meta.message',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, message: 'OK' })),
  },
  otherMethodId: {
    says: 'names another method in meta.method_id',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, method_id: 1082 })),
  },
  versionAsText: {
    says: 'writes meta.version as text',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, version: 'v2' })),
  },
  otherVersion: {
    says: 'has an older version in meta.version',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, version: 2.05 })),
  },
  methodDescribed: {
    says: 'describes the method in meta.method',
    at: inListing,
    spoil: withMeta((meta) => ({ ...meta, method: { license: 'none' } })),
  },
  serviceIdAsText: {
    says: 'writes service_id as text',
    at: inListing,
    spoil: withEach((service) => ({ ...service, service_id: String(service['service_id']) })),
  },
  serviceUrlUnversioned: {
    says: 'leaves the version out of service_url',
    at: inListing,
    spoil: withEach((service) => ({
      ...service,
      service_url: String(service['service_url']).replace('/v2/', '/'),
    })),
  },
  methodIdsMissing: {
    says: 'leaves method_id out',
    at: inListing,
    spoil: withMethods((methods) => methods.map(({ method_id: _id, ...method }) => method)),
  },
  methodUrlWithoutFormat: {
    says: 'leaves the format out of method_url',
    at: inListing,
    spoil: withMethods((methods) =>
      methods.map((method) => ({
        ...method,
        method_url: String(method['method_url']).replace('.{format}', ''),
      })),
    ),
  },
  serviceIdsShared: {
    says: 'gives several services one id',
    at: inListing,
    spoil: withEach((service) => ({ ...service, service_id: 223 })),
  },
  directoryAsText: {
    says: 'serves the JSON of its directory as plain text',
    at: inListing,
    spoil: withHeader('content-type', 'text/plain; charset=utf-8'),
  },
  directoryWithoutCharset: {
    says: 'does not say in which charset the JSON of its directory is',
    at: inListing,
    spoil: withHeader('content-type', 'application/json'),
  },
  directoryCached: {
    says: 'lets its listing be cached (service-directory.md, Limits)',
    at: inListing,
    spoil: withHeader('cache-control', 'public, max-age=300'),
  },
  directoryRevalidated: {
    says: 'lets its listing be kept if it is asked again',
    at: inListing,
    spoil: withHeader('cache-control', 'no-cache'),
  },
  catalogIncomplete: {
    says: 'leaves the last method of each service out of its listing',
    at: inListing,
    spoil: withMethods((methods) => methods.slice(0, -1)),
  },
  callbackRefusedOtherwise: {
    says: 'answers a bad callback with 422',
    at: (path, { status }) => path === '/api/services.json' && status === 400,
    spoil: withStatus(422),
  },
  formatsInHtml: {
    says: 'answers other formats with a web page',
    at: (path, { status }) => path.startsWith('/api/services') && status === 404,
    spoil: () =>
      new Response('<h1>Not Found</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
  },
  formatsNotAcceptable: {
    says: 'answers other formats with 406',
    at: (path, { status }) => path.startsWith('/api/services') && status === 404,
    spoil: withStatus(406),
  },
  headUntyped: {
    says: 'leaves headers of GET out of the answer to HEAD (RFC 9110 §9.3.2)',
    at: (path, _response, { method }) => path === '/api/services.json' && method === 'HEAD',
    spoil: withoutHeaders('content-type'),
  },
  directoryMethodsUntold: {
    says: 'does not say which methods its listing takes (RFC 9110 §15.5.6)',
    at: (path, { status }) => path === '/api/services.json' && status === 405,
    spoil: withoutHeaders('allow'),
  },
  keyEchoed: {
    says: 'repeats the key of a caller in its answer',
    at: (path, response, { url }) => inListing(path, response) && url.includes('key='),
    spoil: (response, request) =>
      withMeta((meta) => ({ ...meta, key: new URL(request.url).searchParams.get('key') }))(
        response,
        request,
      ),
  },
  ownListingEmpty: {
    says: 'lists nothing at the service_url of its directory',
    at: at('/v2/api/services.json'),
    spoil: withJson((body) => ({ ...body, data: [] })),
  },
  siblingsKeyed: {
    says: 'asks for a key at its list of versions',
    at: at('/v2/api/versions.json'),
    spoil: withStatus(401),
  },
  methodsStale: {
    says: 'leaves a method out of its list of methods',
    at: at('/v2/api/methods.json'),
    spoil: withJson(({ data, ...body }) => ({ ...body, data: (data as Json[]).slice(1) })),
  },
  parametersWithoutFormat: {
    says: 'does not name format among the parameters of a method',
    at: at('/v2/api/methods.json'),
    spoil: withEach((method) => ({
      ...method,
      parameters: (method['parameters'] as readonly string[]).filter((name) => name !== 'format'),
    })),
  },
  codesExtended: {
    says: 'lists a code of its own among the published ones',
    at: at('/v2/server/codes.json'),
    spoil: withJson(({ data, ...body }) => ({
      ...body,
      data: [...(data as Json[]), { code: 404, message: 'Not found' }],
    })),
  },
  catalogUnchallenged: {
    says: 'answers an entry of its catalog 401 without a challenge (RFC 9110 §15.5.2)',
    at: guarded,
    spoil: withoutHeaders('www-authenticate'),
  },
  keyStatusOther: {
    says: 'has 403 in meta.status where a key is missing',
    at: guarded,
    spoil: withMeta((meta) => ({ ...meta, status: 403 })),
  },
  noDataAsNull: {
    says: 'writes null where there is no data',
    at: (path, response) => path.startsWith('/v2/') && response.status === 200 && isJson(response),
    spoil: withJson((body) => (isEmptyList(body['data']) ? { ...body, data: null } : body)),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;

function isEmptyList(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}
