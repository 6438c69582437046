/**
 * A service that is right, and whose names and shapes are its own wherever the specification shows
 * none: issuer and resource with a path, codes of letters, JWTs as access tokens, a sign-in in two
 * steps, another envelope for refusals.
 */

import { type Desk, READ, WRITE } from './other-names/desk.ts';
import { enrol, startCeremony } from './other-names/enrol.ts';
import { takeEvent } from './other-names/events.ts';
import { answerLink, showLink } from './other-names/link-page.ts';
import { resourceMetadata, serverMetadata, skill } from './other-names/metadata.ts';
import { Mint } from './other-names/mint.ts';
import { notes } from './other-names/notes.ts';
import { Registry } from './other-names/registry.ts';
import { revoke, token } from './other-names/token.ts';
import { askEmail, home, takeConfirmation, takeEmail } from './other-names/visitors.ts';
import {
  EVENT_PROBLEM_HEADERS,
  json,
  KeySets,
  listen,
  NO_STORE,
  type Problem,
  type Routes,
  type RunningService,
  type ServiceOptions,
  Sessions,
  withProblems,
} from './support.ts';

/** `url` is the protected resource: what lies at the root of the host is not part of the service. */
export async function startOtherNames(options: ServiceOptions = {}): Promise<RunningService> {
  const { origin, close } = await listen(async (at) => routesOf(await openDesk(at, options)));
  return { url: `${origin}/v1/notes`, close };
}

async function openDesk(origin: string, options: ServiceOptions): Promise<Desk> {
  const now = options.now ?? Date.now;
  const names = { issuer: `${origin}/auth`, resource: `${origin}/v1/notes` };
  const registry = new Registry(now);
  return {
    ...names,
    origin,
    now,
    registry,
    mint: await Mint.create(names, now, registry),
    keys: new KeySets(options.trust ?? [], now),
    sessions: new Sessions('visitor', now),
    used: new Set(),
  };
}

function routesOf(desk: Desk): Routes {
  return {
    '/.well-known/oauth-protected-resource/v1/notes': { GET: () => resourceMetadata(desk) },
    '/.well-known/oauth-authorization-server/auth': { GET: () => serverMetadata(desk) },
    '/docs/for-agents.md': { GET: () => skill(desk) },
    '/v1/notes': {
      GET: (request) => notes(desk, request, READ),
      POST: (request) => notes(desk, request, WRITE),
    },
    '/auth/keys': { GET: () => json(200, { keys: [desk.mint.jwk] }, {}) },
    '/auth/agent/identity': { POST: withProblems(enrolProblem, (r) => enrol(desk, r)) },
    '/auth/agent/identity/claim': {
      POST: withProblems(enrolProblem, (r) => startCeremony(desk, r)),
    },
    '/auth/agent/identity/claim/complete': {
      POST: withProblems(enrolProblem, (r) => answerLink(desk, r)),
    },
    '/auth/oauth2/token': { POST: withProblems(tokenProblem, (r) => token(desk, r)) },
    '/auth/oauth2/revoke': { POST: withProblems(tokenProblem, (r) => revoke(desk, r)) },
    '/auth/agent/event/notify': { POST: withProblems(eventProblem, (r) => takeEvent(desk, r)) },
    '/auth/link': { GET: (request) => showLink(desk, request) },
    '/auth/home': { GET: (request) => home(desk, request) },
    '/auth/hello': {
      GET: (request) => askEmail(desk, request),
      POST: withProblems(enrolProblem, (r) => takeEmail(desk, r)),
    },
    '/auth/hello/yes': { POST: withProblems(enrolProblem, (r) => takeConfirmation(desk, r)) },
  };
}

/** The codes of what is shared, as this service calls them. */
const OWN_CODES: Readonly<Record<string, string>> = {
  invalid_request: 'malformed',
  invalid_assertion: 'assertion_rejected',
  invalid_issuer: 'provider_unknown',
  invalid_signature: 'assertion_forged',
  expired: 'assertion_over',
  missing_verified_email: 'address_unverified',
  login_required: 'sign_in_again',
};

function enrolProblem({ status, code, message, members }: Problem): Response {
  const error = { code: OWN_CODES[code] ?? code, message };
  const challenge = { 'WWW-Authenticate': 'Provider error="sign_in_again"' };
  return json(status, { error, ...members }, { ...NO_STORE, ...(status === 401 ? challenge : {}) });
}

/** RFC 6749 §5.2: 400 for what the client did wrong; only a too large one stays 413. */
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
