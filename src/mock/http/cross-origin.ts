import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { CORS_ORIGINS, readCorsOrigin } from '../../protocol/cors-origin.ts';
import type { Route } from './request.ts';

/** What a client reads beside the body: challenges, waiting times, and the server's clock. */
const EXPOSED = ['WWW-Authenticate', 'Retry-After', 'Location', 'Allow', 'Date'];

/**
 * Lets pages of these origins call the routes of one path that are for them, without their cookies (Fetch
 * Standard §3.3, the CORS protocol). Undefined when there are no such routes or no such origins.
 */
export function crossOrigin(
  onPath: readonly Route[],
  origins: readonly string[],
): MiddlewareHandler | undefined {
  const methods = onPath.flatMap(({ crossOrigin: allowed, method }) =>
    allowed !== true ? [] : method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  if (methods.length === 0 || origins.length === 0) return undefined;
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: methods,
    exposeHeaders: EXPOSED,
  });
}

/** @throws TypeError that names the first that is no origin. */
export function readCorsOrigins(given: readonly string[] = []): readonly string[] {
  if (!Array.isArray(given)) {
    throw new TypeError(`cors cannot be ${JSON.stringify(given)}. Use a list of origins.`);
  }
  return given.map((text) => {
    const origin = readCorsOrigin(text);
    if (origin !== undefined) return origin;
    throw new TypeError(`cors: ${JSON.stringify(text)} is not an origin. Use ${CORS_ORIGINS}.`);
  });
}
