import { json, NO_STORE, Problem, randomText, readClientForm } from '../support.ts';
import { isAttemptOver } from './claim.ts';
import { scopesOf } from './scopes.ts';
import {
  findByClaimToken,
  openAssertion,
  type Registration,
  type Service,
  signAssertion,
} from './service.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const CLAIM_GRANT = 'urn:vendor:agent-auth:grant-type:claim';
const TOKEN_SECONDS = 3600;

type Form = ReadonlyMap<string, string>;

/** POST /oauth2/token */
export async function token(service: Service, request: Request): Promise<Response> {
  const form = await readClientForm(request);
  const grant = needed(form, 'grant_type');
  if (grant === JWT_BEARER) return exchangeAssertion(service, form);
  if (grant === CLAIM_GRANT) return redeemClaim(service, form);
  throw new Problem(400, 'unsupported_grant_type', 'The grant is unknown.');
}

async function exchangeAssertion(service: Service, form: Form): Promise<Response> {
  const registration = await openAssertion(service, needed(form, 'assertion'));
  if (registration === undefined) {
    throw new Problem(400, 'invalid_grant', 'The assertion does not hold.');
  }
  return tokenAnswer(service, issue(service, registration, form));
}

async function redeemClaim(service: Service, form: Form): Promise<Response> {
  const registration = findByClaimToken(service, needed(form, 'claim_token'));
  if (registration === undefined || registration.status === 'revoked') {
    throw new Problem(400, 'invalid_grant', 'The claim token is unknown.');
  }
  if (registration.status === 'denied')
    throw new Problem(400, 'access_denied', 'The user said no.');
  if (registration.claimUntil <= service.now() || isAttemptOver(service, registration)) {
    throw new Problem(400, 'expired_token', 'The code is over.');
  }
  if (registration.status === 'unclaimed') {
    throw new Problem(400, 'authorization_pending', 'The user has not answered yet.');
  }
  const answer = issue(service, registration, form);
  return tokenAnswer(service, { ...answer, ...(await signAssertion(service, registration)) });
}

function issue(service: Service, registration: Registration, form: Form) {
  const allowed = scopesOf(registration);
  const scopes = form.get('scope')?.split(' ') ?? allowed;
  if (scopes.some((scope) => !allowed.includes(scope))) {
    throw new Problem(400, 'invalid_scope', 'A scope goes beyond what this agent may.');
  }
  const resource = form.get('resource');
  if (resource !== undefined && resource !== service.origin) {
    throw new Problem(400, 'invalid_target', 'The resource is not one of this service.');
  }
  const text = `at_${randomText(32)}`;
  const scope = scopes.join(' ');
  service.accessTokens.set(text, {
    registration,
    version: registration.version,
    scope,
    until: service.now() + TOKEN_SECONDS * 1000,
  });
  return { access_token: text, token_type: 'Bearer', expires_in: TOKEN_SECONDS, scope };
}

function tokenAnswer(service: Service, body: object): Response {
  return json(200, body, service.has('token-cacheable') ? {} : NO_STORE);
}

/** POST /oauth2/revoke (RFC 7009 §2.2: an unknown token is as good as revoked). */
export async function revoke(service: Service, request: Request): Promise<Response> {
  const form = await readClientForm(request);
  const known = service.accessTokens.delete(needed(form, 'token'));
  if (!known && service.has('unknown-token-revoke')) {
    throw new Problem(400, 'invalid_request', 'The token is unknown.');
  }
  return new Response(null, { status: 200, headers: NO_STORE });
}

/** /api/resource: GET reads, POST writes. */
export function resource(service: Service, request: Request, scope: string): Response {
  const given = /^bearer +([\w.~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (given === undefined) return challenge(service, 401);
  const found = service.accessTokens.get(given);
  const isLive =
    found !== undefined &&
    found.until > service.now() &&
    found.version === found.registration.version &&
    found.registration.status !== 'revoked';
  if (!isLive) return challenge(service, 401, 'invalid_token');
  if (!found.scope.split(' ').includes(scope)) {
    return challenge(service, 403, 'insufficient_scope', `, scope="${scope}"`);
  }
  const { id, status, email } = found.registration;
  const user = status === 'claimed' && email !== undefined ? { email } : null;
  return json(200, { registration: id, scope: found.scope, user });
}

/** RFC 6750 §3.1: no error code where no credentials came. */
function challenge(service: Service, status: number, error?: string, more = ''): Response {
  const hint = `Bearer resource_metadata="${service.origin}/.well-known/oauth-protected-resource"`;
  return json(status, error === undefined ? {} : { error }, {
    'Cache-Control': 'no-store',
    'WWW-Authenticate': error === undefined ? hint : `${hint}, error="${error}"${more}`,
  });
}

function needed(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new Problem(400, 'invalid_request', `${name} is missing.`);
  return value;
}
