import type { Context } from '../../mock/http/context.ts';
import { transportProblem, WireProblem } from '../../mock/http/problems.ts';
import type { Database } from '../../mock/store/database.ts';
import type { Clock } from '../../runtime/ports.ts';
import { catalogScope } from '../config/scopes.ts';
import { authorize, type ResourceParts } from '../resource/resource.ts';
import { directoryReply } from './answer.ts';
import { readCallback } from './callback.ts';
import { countRequest, readCatalog } from './catalog.ts';
import { findMethod } from './find-method.ts';
import { findOpenMethod, type OpenMethod } from './open-methods.ts';
import { type DirectoryPath, readDirectoryPath } from './path.ts';

/** What the directory is served with. */
export interface DirectoryParts extends ResourceParts {
  readonly clock: Clock;
  readonly db: Database;
}

/** Any method of the directory: an open one, or an entry of the catalog, which needs a token. */
export async function callMethod(service: DirectoryParts, c: Context): Promise<Response> {
  const path = readDirectoryPath(new URL(c.req.url).pathname);
  if (path === undefined) throw transportProblem('not_found');
  const open = findOpenMethod(path);
  return open === undefined ? callProtected(service, c, path) : callOpen(service, c, path, open);
}

async function callOpen(
  { clock, config, db }: DirectoryParts,
  c: Context,
  { format }: DirectoryPath,
  method: OpenMethod,
): Promise<Response> {
  const callback = format === 'json' ? readCallback(new URL(c.req.url).searchParams) : undefined;
  const now = clock.now();
  const catalog = await db.read((reader) => readCatalog(reader, config.directory));
  const data = method.read({ catalog, base: config.issuer, now });
  const isEmpty = Array.isArray(data) && data.length === 0;
  // Where no data is returned, as for HEAD, nothing is counted (directory specification, What the service does).
  const isCounted = !isEmpty && c.req.method !== 'HEAD';
  return directoryReply({
    format,
    callback,
    status: isEmpty ? 204 : 200,
    methodId: method.id,
    now,
    requests: isCounted ? await db.transaction(countRequest) : catalog.served,
    data,
    // Nothing in it depends on who asks.
    headers: { 'access-control-allow-origin': '*' },
  });
}

/** The catalog has no data here: a permitted call gets 204 in `meta`, over HTTP 200, since a 204 has no body. */
async function callProtected(
  service: DirectoryParts,
  c: Context,
  path: DirectoryPath,
): Promise<Response> {
  const { clock, config, db } = service;
  const catalog = await db.read((reader) => readCatalog(reader, config.directory));
  const method = findMethod(catalog, config.issuer, path);
  if (method === undefined) throw transportProblem('not_found');
  const { method_id: methodId = null } = method;
  try {
    await authorize(service, c, catalogScope(config.scopes));
  } catch (error) {
    throw error instanceof WireProblem ? withMethod(error, methodId) : error;
  }
  return directoryReply({
    format: path.format,
    status: 204,
    methodId,
    now: clock.now(),
    requests: catalog.served,
    data: [],
  });
}

/** The problem, with the method that it is about. */
function withMethod(problem: WireProblem, methodId: number | null): WireProblem {
  const { code, description, headers, members, status, surface } = problem;
  const about = { ...members, method_id: methodId };
  return new WireProblem({ surface, code, status, description, headers, members: about });
}
