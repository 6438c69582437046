/**
 * A service that offers discovery, anonymous registration and the exchange for an access token. It has
 * no claim, no events and no revocation, and its metadata says so.
 */
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import {
  json,
  listen,
  NO_STORE,
  Problem,
  type Routes,
  type RunningService,
  randomText,
  readClientForm,
  readJson,
  type ServiceOptions,
  withProblems,
} from './support.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_TYP = 'discovery-only-identity+jwt';
const ASSERTION_SECONDS = 3600;
const TOKEN_SECONDS = 600;
const PUBLIC = { 'Cache-Control': 'public, max-age=300' };

export async function startDiscoveryOnly(options: ServiceOptions = {}): Promise<RunningService> {
  const { origin, close } = await listen((at) => routesOf(at, options.now ?? Date.now));
  return { url: origin, close };
}

async function routesOf(origin: string, now: () => number): Promise<Routes> {
  const keys = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  /** Access token → when it ends, in milliseconds. */
  const tokens = new Map<string, number>();
  const seconds = () => Math.floor(now() / 1000);

  const register = async (request: Request) => {
    const { type } = await readJson(request);
    if (type !== 'anonymous') {
      throw new Problem(400, 'invalid_request', 'This service registers anonymous agents alone.');
    }
    const assertion = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: ASSERTION_TYP })
      .setIssuer(origin)
      .setAudience(origin)
      .setSubject(`agent-${randomText(12)}`)
      .setJti(randomText(12))
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + ASSERTION_SECONDS)
      .sign(keys.privateKey);
    return json(200, { identity_assertion: assertion, scopes: ['api.read'] });
  };

  const exchange = async (request: Request) => {
    const form = await readClientForm(request);
    const grant = form.get('grant_type');
    const assertion = form.get('assertion');
    if (grant === undefined) throw new Problem(400, 'invalid_request', 'grant_type is missing.');
    if (grant !== JWT_BEARER) throw new Problem(400, 'unsupported_grant_type', 'Unknown grant.');
    if (assertion === undefined) {
      throw new Problem(400, 'invalid_request', 'assertion is missing.');
    }
    if (form.has('scope') && form.get('scope') !== 'api.read') {
      throw new Problem(400, 'invalid_scope', 'There is one scope: api.read.');
    }
    await jwtVerify(assertion, keys.publicKey, {
      algorithms: ['ES256'],
      typ: ASSERTION_TYP,
      issuer: origin,
      audience: origin,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now()),
    }).catch(() => {
      throw new Problem(400, 'invalid_grant', 'The assertion does not hold.');
    });
    const token = randomText(32);
    tokens.set(token, now() + TOKEN_SECONDS * 1000);
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: 'api.read',
    });
  };

  const resource = (request: Request) => {
    const given = bearer(request);
    if (given === undefined) return unauthorized(origin);
    if ((tokens.get(given) ?? 0) <= now()) return unauthorized(origin, 'invalid_token');
    return json(200, { message: 'You are in.' });
  };

  return {
    '/.well-known/oauth-protected-resource': {
      GET: () => json(200, resourceMetadata(origin), PUBLIC),
    },
    '/.well-known/oauth-authorization-server': {
      GET: () => json(200, serverMetadata(origin), PUBLIC),
    },
    '/jwks.json': { GET: () => json(200, { keys: [jwk] }, PUBLIC) },
    '/agent/identity': { POST: withProblems(identityProblem, register) },
    '/oauth2/token': { POST: withProblems(tokenProblem, exchange) },
    '/api/resource': { GET: resource },
    '/': { GET: resource },
  };
}

function resourceMetadata(origin: string) {
  return {
    resource: origin,
    authorization_servers: [origin],
    scopes_supported: ['api.read'],
    bearer_methods_supported: ['header'],
  };
}

function serverMetadata(origin: string) {
  return {
    ...resourceMetadata(origin),
    issuer: origin,
    jwks_uri: `${origin}/jwks.json`,
    token_endpoint: `${origin}/oauth2/token`,
    token_endpoint_auth_methods_supported: ['none'],
    response_types_supported: [],
    grant_types_supported: [JWT_BEARER],
    agent_auth: {
      identity_endpoint: `${origin}/agent/identity`,
      identity_types_supported: ['anonymous'],
    },
  };
}

/** RFC 6750 §2.1; the scheme is case-insensitive (RFC 9110 §11.1). */
function bearer(request: Request): string | undefined {
  return /^bearer +([\w.~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}

/** RFC 6750 §3.1: without credentials no error code. */
function unauthorized(origin: string, error?: string): Response {
  const hint = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
  return json(401, error === undefined ? {} : { error }, {
    'Cache-Control': 'no-store',
    'WWW-Authenticate': error === undefined ? hint : `${hint}, error="${error}"`,
  });
}

function identityProblem({ status, code, message }: Problem): Response {
  return json(status, { error: code, message });
}

/** Errors of the client are 400 (RFC 6749 §5.2), except 413. */
function tokenProblem({ status, code, headers, message }: Problem): Response {
  return json(
    status === 415 ? 400 : status,
    { error: code, error_description: message },
    { ...NO_STORE, ...headers },
  );
}
