import type { FetchHandler } from '../../mock/http/app.ts';
import { pathOf } from '../../mock/http/path-of.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceDialect } from './dialect.ts';

/** What a dialect speaks at; pages, resources, the directory and the controls have their own answers. */
const ENDPOINTS: ReadonlySet<string> = new Set([
  PATHS.identity,
  PATHS.claim,
  PATHS.complete,
  PATHS.token,
  PATHS.revocation,
  PATHS.events,
]);

/** The application with the last word of the dialect on what its endpoints answer. */
export function saying({ says }: ServiceDialect, app: FetchHandler): FetchHandler {
  if (says === undefined) return app;
  return async (request) => {
    const response = await app(request);
    return ENDPOINTS.has(pathOf(request.url)) ? says(response, request) : response;
  };
}
