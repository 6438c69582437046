import { isHttpOrigin } from './urls.ts';

/** What may be given, for whoever gave something else. */
export const CORS_ORIGINS = 'an http or https origin like http://localhost:5173, or * for any';

/** An origin as browsers send it, or `*`; undefined for anything else, `null` included. */
export function readCorsOrigin(text: string): string | undefined {
  if (text === '*') return text;
  const { origin } = URL.canParse(text) ? new URL(text) : { origin: 'null' };
  return isHttpOrigin(origin) && (text === origin || text === `${origin}/`) ? origin : undefined;
}
