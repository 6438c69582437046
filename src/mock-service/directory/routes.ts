import { registrationEnvelope } from '../../mock/http/envelopes.ts';
import { transportProblem } from '../../mock/http/problems.ts';
import type { Route } from '../../mock/http/route.ts';
import { PROTECTED_RESOURCE_PATH } from '../../protocol/urls.ts';
import { insertedPath, resourceMetadata } from '../discovery/metadata.ts';
import { directoryEnvelope } from './answer.ts';
import { callMethod, type DirectoryParts } from './call-method.ts';
import { readCatalog } from './catalog.ts';
import { findMethod } from './find-method.ts';
import { findOpenMethod } from './open-methods.ts';
import { CATALOG_ROOT, readDirectoryPath } from './path.ts';

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
  if (findMethod(catalog, config.issuer, path) === undefined) throw transportProblem('not_found');
  return resourceMetadata(config, service.dialect, config.issuer + pathname);
}
