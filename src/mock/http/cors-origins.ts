import { CORS_ORIGINS, readCorsOrigin } from '../../protocol/index.ts';

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
