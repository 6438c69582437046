import {
  type Context,
  type Reader,
  type Transaction,
  transportProblem,
  WireProblem,
} from '../../mock/index.ts';
import { catalogScope } from '../config/scopes.ts';
import { authorize } from '../resource/resource.ts';
import { readCallback } from './callback.ts';
import { findCatalogEntry } from './catalog.ts';
import { isEmpty } from './data.ts';
import type { DirectoryParts } from './directory-parts.ts';
import { findOpenMethod, type OpenMethod } from './open-methods.ts';
import { directoryReply } from './reply.ts';
import { servedBefore, servedRequests } from './request-counter.ts';
import { type DirectoryPath, readDirectoryPath } from './url.ts';

/** Any method of the directory: an open one, or an entry of the catalog, which needs a token. */
export async function callMethod(service: DirectoryParts, c: Context): Promise<Response> {
  const path = readDirectoryPath(new URL(c.req.url).pathname);
  if (path === undefined) throw transportProblem('not_found');
  const open = findOpenMethod(path);
  return open === undefined ? callProtected(service, c, path) : callOpen(service, c, path, open);
}

async function callOpen(
  { clock, config, countRequest, db, decisions }: DirectoryParts,
  c: Context,
  { format }: DirectoryPath,
  method: OpenMethod,
): Promise<Response> {
  const callback =
    format === 'json'
      ? readCallback(new URL(c.req.url).searchParams, decisions.callbackRules)
      : undefined;
  if (callback === 'refused') throw badCallback();
  const now = clock.now();
  // HEAD returns no data, so it is not counted.
  const counts = c.req.method !== 'HEAD';
  const readData = (reader: Reader) => method.read({ reader, base: config.issuer, now });
  const look = async (reader: Reader) => ({
    data: await readData(reader),
    requests: await servedRequests(reader),
  });
  const count = async (tx: Transaction) => {
    const requests = (await servedBefore(tx)) + 1;
    await countRequest(tx);
    return requests;
  };
  // One state of the data, and after it the counter, for which other calls wait.
  const { data, requests: before } = await db.read(look);
  const requests = counts && !isEmpty(data) ? await db.transaction(count) : before;
  return directoryReply({
    format,
    callback: callback?.name,
    status: isEmpty(data) ? 204 : 200,
    methodId: method.id,
    now,
    requests,
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
  const entry = await db.read((reader) => findCatalogEntry(reader, config.issuer, path));
  if (entry === undefined) throw transportProblem('not_found');
  const { methodId } = entry;
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
    requests: await db.read(servedRequests),
    data: [],
  });
}

/** Not echoed: the name is what an attacker chose. */
function badCallback(): WireProblem {
  return new WireProblem({
    surface: 'transport',
    code: 'invalid_request',
    status: 400,
    description: 'The callback is not the name of a function.',
    members: {},
    headers: {},
  });
}

/** The problem, with the method that it is about. */
function withMethod(problem: WireProblem, methodId: number | null): WireProblem {
  const { code, description, headers, members, status, surface } = problem;
  const about = { ...members, method_id: methodId };
  return new WireProblem({ surface, code, status, description, headers, members: about });
}
