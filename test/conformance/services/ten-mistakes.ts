/**
 * A service that does all of the specification, as it shows it, with ten mistakes of the kind that
 * real services make. Each can be left out; without any it is right.
 */
import {
  EVENT_PROBLEM_HEADERS,
  json,
  listen,
  NO_STORE,
  type Problem,
  type Routes,
  type RunningService,
  type ServiceOptions,
  withProblems,
} from './support.ts';
import { approveOrDeny, showClaim, startClaim } from './ten-mistakes/claim.ts';
import { authorizationServer, protectedResource, skill } from './ten-mistakes/discovery.ts';
import { receiveEvent } from './ten-mistakes/events.ts';
import { MISTAKES } from './ten-mistakes/mistakes.ts';
import { register } from './ten-mistakes/register.ts';
import { createService, type Service } from './ten-mistakes/service.ts';
import { logIn, showAccount, showLogin } from './ten-mistakes/sign-in.ts';
import { resource, revoke, token } from './ten-mistakes/tokens.ts';

export { MISTAKES };

export interface TenMistakesOptions extends ServiceOptions {
  /** Ids of `MISTAKES`; all ten when left out. */
  readonly mistakes?: readonly string[];
}

export async function startTenMistakes(options: TenMistakesOptions = {}): Promise<RunningService> {
  const chosen = new Set(options.mistakes ?? MISTAKES.map(({ id }) => id));
  for (const id of chosen) {
    if (!MISTAKES.some((mistake) => mistake.id === id)) throw new Error(`no mistake: ${id}`);
  }
  const { origin, close } = await listen(async (at) =>
    routesOf(await createService(at, options, (id) => chosen.has(id))),
  );
  return { url: origin, close };
}

function routesOf(service: Service): Routes {
  const api = {
    GET: (request: Request) => resource(service, request, 'api.read'),
    POST: (request: Request) => resource(service, request, 'api.write'),
  };
  return {
    '/.well-known/oauth-protected-resource': { GET: () => protectedResource(service) },
    '/.well-known/oauth-authorization-server': { GET: () => authorizationServer(service) },
    '/.well-known/jwks.json': { GET: () => json(200, { keys: [service.publicJwk] }, {}) },
    '/auth.md': { GET: () => skill(service) },
    '/': api,
    '/api/resource': api,
    '/agent/identity': { POST: withProblems(identityProblem, (r) => register(service, r)) },
    '/agent/identity/claim': { POST: withProblems(identityProblem, (r) => startClaim(service, r)) },
    '/agent/identity/claim/complete': {
      POST: withProblems(identityProblem, (r) => approveOrDeny(service, r, 'yes')),
    },
    '/agent/identity/claim/deny': {
      POST: withProblems(identityProblem, (r) => approveOrDeny(service, r, 'no')),
    },
    '/oauth2/token': { POST: withProblems(tokenProblem, (r) => token(service, r)) },
    '/oauth2/revoke': { POST: withProblems(tokenProblem, (r) => revoke(service, r)) },
    '/agent/event/notify': { POST: withProblems(eventProblem, (r) => receiveEvent(service, r)) },
    '/claim': { GET: (request) => showClaim(service, request) },
    '/login': {
      GET: (request) => showLogin(service, request),
      POST: withProblems(identityProblem, (r) => logIn(service, r)),
    },
    '/account': { GET: (request) => showAccount(service, request) },
  };
}

/** RFC 9110 §15.5.2: a 401 says how to do better. */
function identityProblem({ status, code, message, members }: Problem): Response {
  const challenge = { 'WWW-Authenticate': `AgentAuth error="${code}"` };
  return json(
    status,
    { error: code, message, ...members },
    { ...NO_STORE, ...(status === 401 ? challenge : {}) },
  );
}

/** Errors of the client are 400 (RFC 6749 §5.2), except 413. */
function tokenProblem({ status, code, headers, message }: Problem): Response {
  return json(
    status === 415 ? 400 : status,
    { error: code, error_description: message },
    { ...NO_STORE, ...headers },
  );
}

function eventProblem({ status, code, message }: Problem): Response {
  return json(
    status === 415 ? 400 : status,
    { err: code, description: message },
    EVENT_PROBLEM_HEADERS,
  );
}
