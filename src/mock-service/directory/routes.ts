import { registrationEnvelope } from '../../mock/http/envelopes.ts';
import type { Context, Route } from '../../mock/http/request.ts';
import { transportProblem, WireProblem } from '../../mock/http/response.ts';
import type { Database } from '../../mock/store/database.ts';
import { PROTECTED_RESOURCE_PATH } from '../../protocol/urls.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { DirectoryMethod } from '../config/directory.ts';
import { CATALOG_ROOT } from '../config/paths.ts';
import { catalogScopes } from '../config/scopes.ts';
import { insertedPath, resourceMetadata } from '../discovery/metadata.ts';
import { authorize, type ResourceParts } from '../resource/resource.ts';
import { directoryEnvelope, directoryReply } from './answer.ts';
import { type Catalog, countRequest, readCatalog } from './catalog.ts';
import { findOpenMethod } from './open-methods.ts';
import { type DirectoryPath, readDirectoryPath } from './path.ts';
import { SPECIFIED } from './published.ts';

/** What the directory is served with. */
export interface DirectoryParts extends ResourceParts {
  readonly clock: Clock;
  readonly db: Database;
}

/** The directory, and the path-inserted metadata of what is protected in it (RFC 9728 §3.1). */
export function directoryRoutes(service: DirectoryParts): readonly Route[] {
  const method = {
    method: 'GET',
    crossOrigin: true,
    envelope: directoryEnvelope(service.clock),
    handle: (c) => callMethod(service, c),
  } as const satisfies Omit<Route, 'path'>;
  return [
    { ...method, path: '/api/services.json' },
    { ...method, path: '/api/services.xml' },
    { ...method, path: `${CATALOG_ROOT}/*` },
    {
      method: 'GET',
      crossOrigin: true,
      path: `${PROTECTED_RESOURCE_PATH}${CATALOG_ROOT}/*`,
      envelope: registrationEnvelope,
      handle: (c) => entryMetadata(service, insertedPath(c)),
    },
  ];
}

/** The path as it was sent, character for character: the document's `resource` must equal it. */
async function entryMetadata(service: DirectoryParts, pathname: string): Promise<Response> {
  const { config, db } = service;
  const path = readDirectoryPath(pathname);
  if (path === undefined || findOpenMethod(path) !== undefined) {
    throw transportProblem('not_found');
  }
  const catalog = await db.read((reader) => readCatalog(reader, config.directory));
  if (findMethod(catalog, path) === undefined) throw transportProblem('not_found');
  return resourceMetadata(config, service.dialect, config.issuer + pathname);
}

/** Calls a method of the directory: an open one, or an entry of the catalog, which needs a token. */
async function callMethod(service: DirectoryParts, c: Context): Promise<Response> {
  const { clock, config, db } = service;
  const { pathname, searchParams } = new URL(c.req.url);
  const path = readDirectoryPath(pathname);
  if (path === undefined) throw transportProblem('not_found');
  const { format } = path;
  const open = findOpenMethod(path);
  const callback = open && format === 'json' ? readCallback(searchParams) : undefined;
  const now = clock.now();
  const catalog = await db.read((reader) => readCatalog(reader, config.directory));
  const methodId = open?.id ?? (await requireAccess(service, c, catalog, path));
  // The catalog has no data here: a permitted call gets 204 in `meta`, over HTTP 200, since a 204 has no body.
  const data = open?.read({ catalog, base: config.issuer, now }) ?? [];
  const isEmpty = Array.isArray(data) && data.length === 0;
  // Where no data is returned, as for HEAD, nothing is counted (directory specification, What the service does).
  const isCounted = !isEmpty && c.req.method !== 'HEAD';
  return directoryReply({
    format,
    callback,
    status: isEmpty ? 204 : 200,
    methodId,
    now,
    requests: isCounted ? await db.transaction(countRequest) : catalog.served,
    data,
    // Nothing in what is open depends on who asks.
    ...(open && { headers: { 'access-control-allow-origin': '*' } }),
  });
}

/** @returns the id of the method. @throws WireProblem for a call without a token that opens it. */
async function requireAccess(
  service: DirectoryParts,
  c: Context,
  catalog: Catalog,
  path: DirectoryPath,
): Promise<number | null> {
  const method = findMethod(catalog, path);
  if (method === undefined) throw transportProblem('not_found');
  const { method_id: methodId = null } = method;
  try {
    await authorize(service, c, catalogScopes(service.config.scopes));
    return methodId;
  } catch (error) {
    throw error instanceof WireProblem ? withMethod(error, methodId) : error;
  }
}

/** The problem, with the method that it is about. */
function withMethod(problem: WireProblem, methodId: number | null): WireProblem {
  const { code, description, headers, members, status, surface } = problem;
  const about = { ...members, method_id: methodId };
  return new WireProblem({ surface, code, status, description, headers, members: about });
}

/** Longer names may be payloads (Rosetta Flash). */
const MAX_LENGTH = 64;
const NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/** Words that are no function's name in any mode of ECMAScript, or that a script must not redefine. */
const RESERVED: ReadonlySet<string> = new Set(
  `Infinity NaN arguments await break case catch class const continue debugger default delete do else enum eval
   export extends false finally for function if implements import in instanceof interface let new null
   package private protected public return static super switch this throw true try typeof undefined var void
   while with yield`.split(/\s+/),
);

/**
 * The name of the JSONP callback of a query, `undefined` without one (wire contract §10).
 * @throws WireProblem for what is no name.
 */
function readCallback(query: URLSearchParams): string | undefined {
  const [name, another] = query.getAll('callback');
  if (name === undefined) return undefined;
  const isReserved = name.split('.').some((part) => RESERVED.has(part));
  const isName = name.length <= MAX_LENGTH && NAME.test(name) && !isReserved;
  if (another === undefined && isName) return name;
  // Not echoed: the name is what an attacker chose.
  throw transportProblem('bad_query', {
    description: 'The callback is not the name of a function.',
  });
}

const VARIABLE = /^\{[^{}]+\}$/;

/** The method of the catalog that a path is of. */
function findMethod(
  { services }: Catalog,
  { segments }: DirectoryPath,
): DirectoryMethod | undefined {
  const candidates = services.flatMap(({ methods, service_url: url }) =>
    (methods ?? []).map((method) => ({
      method,
      template: `${url ?? ''}${method.method_url ?? ''}`,
    })),
  );
  const specified = SPECIFIED.get(segments.join('/'))?.split('/') ?? [];
  return (matchTemplate(candidates, segments) ?? matchTemplate(candidates, specified))?.method;
}

/**
 * The candidate whose template fits the segments of a path, compared segment by segment: where two fit,
 * the one with a literal segment in the first place where they differ; of equals the first.
 */
export function matchTemplate<T extends { readonly template: string }>(
  candidates: readonly T[],
  segments: readonly string[],
): T | undefined {
  const fitting = candidates.flatMap((candidate) => {
    const rank = rankOf(candidate.template, segments);
    return rank === undefined ? [] : { candidate, rank };
  });
  return fitting.toSorted((a, b) => a.rank.localeCompare(b.rank))[0]?.candidate;
}

/** A digit a segment, `0` where it is literal: the smaller of two fits better. `undefined`: no fit. */
function rankOf(template: string, segments: readonly string[]): string | undefined {
  const wanted = /^\/(.+)\.\{format\}$/.exec(template)?.[1]?.split('/');
  if (wanted?.length !== segments.length) return undefined;
  const digits = wanted.map((part, at) =>
    VARIABLE.test(part) ? '1' : part === segments[at] ? '0' : undefined,
  );
  return digits.includes(undefined) ? undefined : digits.join('');
}
