import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GRANT, HttpProblem, ID_JAG, PRE_CLAIM, REVOKED_EVENT, SCOPES } from './config.ts';
import type { Access } from './issuer.ts';
import { handleProblems, noStore, oauthProblem } from './plumbing.ts';
import type { Service } from './service.ts';
import { skillFile } from './skill.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The protected API and the documents that lead to it. */
export async function apiRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { config, issuer } = service;
  handleProblems(app, service.config, oauthProblem);

  for (const path of ['', '/api/resource']) {
    app.get(`${WELL_KNOWN}${path}`, async (_request, reply) => {
      return open(reply).send(resource(`${config.issuer}${path}`));
    });
  }
  app.get('/.well-known/oauth-authorization-server', async (request, reply) => {
    const document = { ...resource(config.issuer), ...authorizationServer() };
    const host = request.headers['x-forwarded-host'];
    if (!config.has('host-in-metadata') || typeof host !== 'string')
      return open(reply).send(document);
    const { host: own } = new URL(config.issuer);
    return open(reply).send(JSON.parse(JSON.stringify(document).replaceAll(own, host)));
  });
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    return open(reply).send({ keys: [issuer.jwk] });
  });
  app.get('/auth.md', async (_request, reply) => {
    return open(reply).type('text/markdown; charset=utf-8').send(skillFile(config));
  });

  app.get('/api/resource', async (request, reply) =>
    say(reply, await allow(request, '/api/resource', 'api.read')),
  );
  app.post('/api/resource', { preParsing: checkWrite }, async (request, reply) =>
    say(reply, await allow(request, '/api/resource', 'api.write')),
  );

  /** Before the body is read: nobody without a token learns what is wrong with it. */
  async function checkWrite(request: FastifyRequest): Promise<void> {
    await allow(request, '/api/resource', 'api.write');
  }

  async function allow(request: FastifyRequest, path: string, scope: string): Promise<Access> {
    const metadata = `resource_metadata="${config.issuer}${WELL_KNOWN}${path}"`;
    const refuse = (status: number, code: string, message: string, more = `, error="${code}"`) =>
      new HttpProblem(status, code, message, {
        headers: { 'www-authenticate': `Bearer ${metadata}${more}` },
      });
    const { access_token: inQuery } = request.query as Readonly<Record<string, string>>;
    const asked = config.has('token-in-query') && inQuery !== undefined;
    const sent = asked
      ? [`Bearer ${inQuery}`]
      : (request.raw.headersDistinct['authorization'] ?? []);
    const [scheme, value, ...others] = sent.join(' ').trim().split(/\s+/);
    if (scheme?.toLowerCase() !== 'bearer') {
      throw refuse(401, 'missing_token', 'An access token is needed.', '');
    }
    const isOne = value !== undefined && others.length === 0;
    const access = isOne ? await issuer.access(value, `${config.issuer}${path}`) : undefined;
    if (access === undefined) throw refuse(401, 'invalid_token', 'The token is not in force.');
    if (!access.scopes.includes(scope)) {
      const more = `, error="insufficient_scope", scope="${scope}"`;
      throw refuse(403, 'insufficient_scope', `This needs ${scope}.`, more);
    }
    return access;
  }

  function say(reply: FastifyReply, { agent, scopes }: Access) {
    const { email, claimedAt, id } = agent;
    const user = claimedAt === undefined ? null : { email };
    noStore(reply);
    if (config.has('public-cache')) reply.header('cache-control', 'public, max-age=60');
    return reply.send({
      ...{ message: 'It works.', registration_id: id },
      ...{ scope: scopes.join(' '), user },
    });
  }

  function resource(identifier: string) {
    return {
      resource: identifier,
      resource_name: 'An API on Fastify',
      authorization_servers: [config.issuer],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    };
  }

  function authorizationServer() {
    const at = (path: string) => `${config.issuer}${path}`;
    return {
      issuer: config.issuer,
      token_endpoint: at('/oauth2/token'),
      revocation_endpoint: at('/oauth2/revoke'),
      jwks_uri: at('/.well-known/jwks.json'),
      response_types_supported: [],
      grant_types_supported: [GRANT.bearer, GRANT.claim],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      agent_auth: {
        skill: at('/auth.md'),
        identity_endpoint: at('/agent/identity'),
        claim_endpoint: at('/agent/identity/claim'),
        events_endpoint: at('/agent/event/notify'),
        identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
        identity_assertion: { assertion_types_supported: [ID_JAG] },
        events_supported: [REVOKED_EVENT],
        pre_claim_scopes: PRE_CLAIM,
      },
    };
  }
}

function open(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'public, max-age=300')
    .header('access-control-allow-origin', '*');
}
