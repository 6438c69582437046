/**
 * A right authorization server and two resources of cross-app access, on Express and jose: from the ID-JAG draft and
 * EMA alone. Where implementations differ and may, it is as others than our mock are: its issuer ends in a slash,
 * secrets come in the body, the claim `resource` wins over the parameter and a foreign one is invalid_target, a
 * `scope` without the claim is refused, nothing says which resource a token is for, or what its scope is where no other
 * was asked for, a refusal may be cached, and is 400 where no header was tried.
 */
import { randomUUID } from 'node:crypto';
import express, { type Express, type Request, type Response } from 'express';
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { listening } from './express-defaults.ts';
import { KeySets, Overlap, type RunningService, type ServiceOptions } from './support.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPES = ['files.read', 'files.write'];
const SKEW = 30;
const HOUR = 3_600_000;

/** Those that are registered. */
export const CROSS_APP_CLIENTS = [
  { id: 'desktop', secret: 'a secret: of+the desktop' },
  { id: 'https://web.example/app', secret: 'b%2F' },
] as const;

const racing = new Overlap();

interface Token {
  readonly client: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly sub: string;
  readonly until: number;
}

export async function startCrossApp(options: ServiceOptions = {}): Promise<RunningService> {
  const outer = express().set('env', 'test');
  const { server, base } = await listening(outer);
  outer.use(createCrossApp(base, options));
  return {
    url: `${base}/mcp`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** The application, before it listens. */
export function createCrossApp(
  base: string,
  { bug, now = Date.now, trust = [] }: ServiceOptions,
): Express {
  const app = express().set('env', 'test');
  const issuer = `${base}/`;
  const keys = new KeySets(trust, now);
  const tokens = new Map<string, Token>();
  const used = new Set<string>();
  const resources = [`${base}/mcp`, `${base}/files`];
  app.use(express.urlencoded(), express.json());

  app.get('/.well-known/oauth-authorization-server', (_request, response) => {
    response.json({
      issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      introspection_endpoint: `${base}/introspect`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', JWT_BEARER],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    });
  });
  for (const resource of resources) {
    const { pathname } = new URL(resource);
    const metadata = `/.well-known/oauth-protected-resource${pathname}`;
    app.get(metadata, (_request, response) => {
      response.json({ resource, authorization_servers: [issuer], scopes_supported: SCOPES });
    });
    const challenge = `Bearer resource_metadata="${base}${metadata}"`;
    app.all(pathname, (request, response) => {
      const [, text = ''] = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '') ?? [];
      const token = tokens.get(text);
      if (token === undefined || token.resource !== resource || now() >= token.until) {
        response.status(401).set('WWW-Authenticate', challenge).end();
      } else if (
        request.method === 'POST' &&
        pathname === '/files' &&
        !token.scopes.includes('files.write')
      ) {
        const needed = `${challenge}, error="insufficient_scope", scope="${SCOPES.join(' ')}"`;
        response.status(403).set('WWW-Authenticate', needed).end();
      } else response.json({ sub: token.sub });
    });
  }

  app.post('/token', async (request, response) => {
    try {
      const given = await redeem(request);
      response.set('Cache-Control', 'no-store').json(given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response.status(error.status).json({ error: error.message });
    }
  });

  app.post('/introspect', (request: Request, response: Response) => {
    if (clientOf(request) === undefined)
      return response.status(401).json({ error: 'invalid_client' });
    const token = tokens.get(String(request.body.token));
    if (token === undefined) return response.json({ active: false, token_type: 'bearer' });
    const { client: client_id, resource: aud, scopes, sub } = token;
    return response.json({ active: true, client_id, aud, sub, scope: scopes.join(' ') });
  });
  return app;

  async function redeem(request: Request): Promise<object> {
    const client = clientOf(request);
    if (client === undefined) {
      if (request.headers.authorization !== undefined) throw new Refusal('invalid_client', 401);
      throw new Refusal(request.body.client_id ? 'invalid_client' : 'invalid_request');
    }
    const { assertion, grant_type: grant, resource: wanted } = request.body;
    if (grant !== JWT_BEARER) throw new Refusal('unsupported_grant_type');
    if (typeof assertion !== 'string') throw new Refusal('invalid_request');
    const claims = await read(assertion);
    const isForClient = claims['client_id'] === client || bug === 'any-client';
    if (!isAimed(claims.aud) || !isForClient || !isComplete(claims))
      throw new Refusal('invalid_grant');
    const resource = bug === 'resource-as-asked' && wanted ? wanted : claims['resource'];
    if (!resources.includes(resource)) throw new Refusal('invalid_target');
    const claimed = words(claims['scope']).filter((scope) => SCOPES.includes(scope));
    if (claimed.length === 0) throw new Refusal('invalid_scope');
    const asked = words(request.body.scope);
    const allowed = bug === 'scope-as-asked' && asked.length > 0 ? SCOPES : claimed;
    const scopes = asked.length === 0 ? allowed : allowed.filter((scope) => asked.includes(scope));
    if (scopes.length === 0) throw new Refusal('invalid_scope');
    await spend(`${claims.iss} ${claims.jti}`);
    const text = randomUUID();
    const sub = `${claims.iss} ${claims.sub}`;
    tokens.set(text, { client, resource, scopes, sub, until: now() + HOUR });
    const isTold = bug === 'scope-as-asked' || asked.some((scope) => !scopes.includes(scope));
    const told = isTold ? { scope: scopes.join(' ') } : {};
    return { access_token: text, token_type: 'bearer', expires_in: 3600, ...told };
  }

  /** By its secret, in the body. */
  function clientOf({ body, headers }: Request): string | undefined {
    const { client_id: id, client_secret: secret } = body;
    if (headers.authorization !== undefined) return undefined;
    const known = CROSS_APP_CLIENTS.find((each) => each.id === id);
    return known?.secret === secret || bug === 'no-credentials' ? known?.id : undefined;
  }

  /** Signature, kind, issuer and times. */
  async function read(assertion: string): Promise<JWTPayload> {
    const right = keys.open(assertion, 'oauth-id-jag+jwt');
    return right.catch(async () => {
      if (bug !== 'any-issuer') throw new Refusal('invalid_grant');
      const set = createRemoteJWKSet(new URL(`${decodeJwt(assertion).iss}/.well-known/jwks.json`));
      const how = { typ: 'oauth-id-jag+jwt', clockTolerance: SKEW };
      const { payload } = await jwtVerify(assertion, set, how).catch(() => {
        throw new Refusal('invalid_grant');
      });
      return payload;
    });
  }

  function isAimed(aud: JWTPayload['aud']): boolean {
    if (bug === 'audience-among-others' && Array.isArray(aud)) return aud.includes(issuer);
    const [audience, another] = [aud].flat();
    if (another !== undefined) return false;
    if (bug === 'audience-text-alone' && Array.isArray(aud)) return false;
    return (
      audience === issuer || (bug === 'audience-prefix' && audience?.startsWith(issuer) === true)
    );
  }

  function isComplete({ cnf, exp, iat, jti, sub, ...others }: JWTPayload): boolean {
    const seconds = now() / 1000;
    const isShort = typeof exp === 'number' && typeof iat === 'number' && exp - iat <= 300;
    if (bug === 'jti-unread') (jti as string).trim();
    return (
      isShort &&
      (iat ?? 0) <= seconds + SKEW &&
      typeof jti === 'string' &&
      jti !== '' &&
      typeof sub === 'string' &&
      (cnf === undefined || bug === 'key-ignored') &&
      others['authorization_details'] === undefined
    );
  }

  async function spend(jti: string): Promise<void> {
    if (bug === 'jti-forgotten') return;
    if (used.has(jti)) throw new Refusal('invalid_grant');
    // As long as a database takes.
    if (bug === 'jti-race') await racing.untilNext();
    used.add(jti);
  }
}

class Refusal extends Error {
  readonly status: number;
  constructor(code: string, status = 400) {
    super(code);
    this.status = status;
  }
}

function words(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split(' ').filter(Boolean) : [];
}
