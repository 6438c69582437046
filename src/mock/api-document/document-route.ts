import { type Envelope, publicReply, type Route } from '../http/index.ts';

/** Where a mock describes itself. */
export const OPENAPI_PATH = '/openapi.json';

/** `GET /openapi.json`: the document is written when it is asked for first. */
export function documentRoute(envelope: Envelope, write: () => Promise<object>): Route {
  let text: string | undefined;
  return {
    method: 'GET',
    path: OPENAPI_PATH,
    envelope,
    crossOrigin: true,
    handle: async () => {
      text ??= JSON.stringify(await write());
      return publicReply(text);
    },
  };
}
