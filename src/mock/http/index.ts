export { createApp, type FetchHandler } from './app.ts';
export {
  type BearerCredentials,
  bearerCredentials,
  type ReadCredentials,
} from './bearer-credentials.ts';
export { type BodyReader, bodyReader, type FormResult } from './body-reader.ts';
export { remoteIp } from './connection.ts';
export { ConnectionDropped } from './connection-dropped.ts';
export type { Context } from './context.ts';
export { readCorsOrigins } from './cross-origin.ts';
export { eventEnvelope, oauthEnvelope, registrationEnvelope } from './envelopes.ts';
export { type Form, singleValues } from './form.ts';
export { type HostCheck, hostCheck, MISDIRECTED, readAllowedHost } from './host-check.ts';
export { ListenError, type ListenErrorCode } from './listen-error.ts';
export { documentRoute, OPENAPI_PATH } from './openapi-route.ts';
export { pathOf } from './path-of.ts';
export { transportProblem, WireProblem, wireProblem } from './problems.ts';
export { readCookie } from './read-cookie.ts';
export { readForm, readJsonObject, readQuery, readText } from './reading.ts';
export {
  empty,
  json,
  NO_STORE,
  PUBLIC_MAX_AGE,
  publicDocument,
  publicReply,
  seeOther,
} from './replies.ts';
export type { Envelope, Route } from './route.ts';
export { type Served, type ServeOptions, serve, type TlsFiles } from './serve.ts';
export { wantsPage } from './wants-page.ts';
