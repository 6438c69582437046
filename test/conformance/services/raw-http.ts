/**
 * A right service on `node:http` and `node:crypto` alone: functions of one state, signatures verified by hand,
 * opaque access tokens. It has all three types of registration, and no directory. It is of a company: its
 * accounts are given (`raw-http/accounts.yaml`), and sign-in takes two steps, with a password.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { claim } from './raw-http/attempts.ts';
import { complete, completeByAddress, showClaim } from './raw-http/claim-page.ts';
import { notify, refusedEvent } from './raw-http/events.ts';
import {
  type Call,
  type Handler,
  json,
  NO_STORE,
  Refusal,
  type Reply,
  readBody,
  send,
} from './raw-http/http.ts';
import { authorizationServer, keys, protectedResource, skill } from './raw-http/metadata.ts';
import { endConnection, logOut, showConnections } from './raw-http/pages.ts';
import { register } from './raw-http/register.ts';
import { askPassword, logIn, showLogin, takePassword } from './raw-http/sign-in.ts';
import { createState, READ, type State, WRITE } from './raw-http/state.ts';
import { resource, revocation, token } from './raw-http/tokens.ts';
import type { RunningService, ServiceOptions } from './support.ts';

export { RAW_HTTP_BUGS } from './raw-http/bugs.ts';

type Method = 'GET' | 'POST';

const ROUTES: Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>> = {
  '/': { GET: resource('', READ) },
  '/api/resource': { GET: resource('/api/resource', READ), POST: resource('/api/resource', WRITE) },
  '/.well-known/oauth-protected-resource': { GET: protectedResource('') },
  '/.well-known/oauth-protected-resource/api/resource': { GET: protectedResource('/api/resource') },
  '/.well-known/oauth-authorization-server': { GET: authorizationServer },
  '/.well-known/jwks.json': { GET: keys },
  '/auth.md': { GET: skill },
  '/agent/identity': { POST: register },
  '/agent/identity/claim': { POST: claim },
  '/agent/identity/claim/complete': { POST: complete },
  '/agent/event/notify': { POST: notify },
  '/oauth2/token': { POST: token },
  '/oauth2/revoke': { POST: revocation },
  '/login': { GET: showLogin, POST: logIn },
  '/login/password': { GET: askPassword, POST: takePassword },
  '/logout': { POST: logOut },
  '/claim': { GET: showClaim },
  '/connections': { GET: showConnections },
  '/connections/end': { POST: endConnection },
};

export async function startRawHttp(options: ServiceOptions = {}): Promise<RunningService> {
  let state: State | undefined;
  const server = createServer((request, response) => {
    if (state !== undefined) void respond(state, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was bound');
  state = createState(`http://127.0.0.1:${address.port}`, options);
  return {
    url: state.origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(state: State, request: IncomingMessage, response: ServerResponse) {
  const isHead = request.method === 'HEAD';
  send(response, await replyTo(state, request, isHead ? 'GET' : (request.method ?? '')), isHead);
}

async function replyTo(state: State, request: IncomingMessage, method: string): Promise<Reply> {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  try {
    const body = await readBody(request);
    checkHost(state, request);
    if ((request.headersDistinct['authorization']?.length ?? 0) > 1) {
      throw new Refusal(400, 'invalid_request', 'There are two Authorization headers.');
    }
    const call: Call = {
      ...{ state, method, path, body },
      query: new URLSearchParams(query),
      headers: request.headers,
    };
    const isByAddress = method === 'GET' && path === '/agent/identity/claim/complete';
    if (isByAddress && state.has('approve-by-get')) return await completeByAddress(call);
    return await handlerOf(path, method)(call);
  } catch (problem) {
    const refusal =
      problem instanceof Refusal
        ? problem
        : new Refusal(500, 'server_error', 'Something broke here.');
    return path === '/agent/event/notify' ? refusedEvent(refusal) : refused(refusal, path);
  }
}

function handlerOf(path: string, method: string): Handler {
  const methods = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (methods === undefined) throw new Refusal(404, 'not_found', 'Nothing is here.');
  const handler = method === 'GET' || method === 'POST' ? methods[method] : undefined;
  if (handler !== undefined) return handler;
  const allowed = Object.keys(methods).flatMap((each) =>
    each === 'GET' ? ['GET', 'HEAD'] : [each],
  );
  throw new Refusal(
    405,
    'method_not_allowed',
    'Not by this method.',
    {},
    { allow: allowed.join(', ') },
  );
}

/** A name that we do not have is somebody's who rebinds it to our address. */
function checkHost({ origin }: State, { headers }: IncomingMessage): void {
  const { port } = new URL(origin);
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (headers.host === undefined || !own.includes(headers.host)) {
    throw new Refusal(421, 'misdirected_request', 'This host is not served here.');
  }
}

function refused({ status, code, message, more, headers }: Refusal, path: string): Reply {
  const challenge =
    status === 401 && path.startsWith('/agent/')
      ? { 'www-authenticate': `AgentAuth error="${code}"` }
      : {};
  const body = {
    error: code,
    error_description: message,
    ...(path.startsWith('/agent/') && { message }),
    ...more,
  };
  return json(status, body, { ...NO_STORE, ...challenge, ...headers });
}
