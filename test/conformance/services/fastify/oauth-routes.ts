import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Agent } from './agents.ts';
import { GRANT, HttpProblem, LIFE, LIMIT } from './config.ts';
import { handleProblems, iso, noStore, oauthProblem, readForms } from './plumbing.ts';
import type { Service } from './service.ts';

type Form = Readonly<Record<string, string>>;

/** `/oauth2/token` and `/oauth2/revoke`: forms, from clients without secrets. */
export async function oauthRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { agents, config, issuer } = service;
  app.removeAllContentTypeParsers();
  readForms(app);
  handleProblems(app, service.config, oauthProblem);

  app.addHook('preHandler', async ({ headers, body }: FastifyRequest) => {
    if (body === undefined || body === null) {
      throw new HttpProblem(415, 'invalid_request', 'Send a form.');
    }
    const form = body as Form;
    if (headers.authorization ?? form['client_secret'] ?? form['client_assertion']) {
      throw new HttpProblem(401, 'invalid_client', 'No client authenticates here.', {
        headers: { 'www-authenticate': 'Basic realm="oauth2"' },
      });
    }
  });

  app.post<{ Body: Form }>('/oauth2/token', async ({ body: form }, reply) => {
    noStore(reply);
    switch (value(form, 'grant_type')) {
      case GRANT.bearer:
        return exchange(form);
      case GRANT.claim:
        return poll(value(form, 'claim_token'));
      default:
        throw new HttpProblem(400, 'unsupported_grant_type', 'This grant is not supported.');
    }
  });

  app.post<{ Body: Form }>('/oauth2/revoke', async ({ body: form }, reply) => {
    if ((await issuer.revoke(value(form, 'token'))) === 'other kind') {
      throw new HttpProblem(400, 'unsupported_token_type', 'Only access tokens can be revoked.');
    }
    return noStore(reply).status(200).send();
  });

  async function exchange(form: Form) {
    const agent = await issuer.agentOf(value(form, 'assertion'));
    if (agent === undefined) {
      const which = config.has('echoed-assertion')
        ? `The assertion ${form['assertion']}`
        : 'This assertion';
      throw new HttpProblem(400, 'invalid_grant', `${which} is not in force.`);
    }
    const granted = agent.grantedAt(config.now() / 1000);
    const wanted = (form['scope'] ?? '').split(' ').filter((each) => each !== '');
    if (config.has('scope-widened') && wanted.length > 0)
      return tokens(agent, wanted, resourceIn(form));
    if (wanted.some((each) => !granted.includes(each))) {
      throw new HttpProblem(400, 'invalid_scope', 'This agent may not do all of that.');
    }
    const scopes = wanted.length === 0 ? granted : granted.filter((each) => wanted.includes(each));
    return tokens(agent, scopes, resourceIn(form));
  }

  function resourceIn({ resource = '' }: Form): string {
    if (resource === '' || resource === `${config.issuer}/`) return config.issuer;
    if (resource === config.issuer || resource === `${config.issuer}/api/resource`) return resource;
    throw new HttpProblem(400, 'invalid_target', 'This resource is not here.');
  }

  async function tokens(agent: Agent, scopes: readonly string[], resource: string) {
    const { value: accessToken, seconds } = await issuer.accessToken(agent, scopes, resource);
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: seconds,
      scope: scopes.join(' '),
    };
  }

  async function poll(claimToken: string) {
    const agent = agents.byClaimToken(claimToken);
    const now = config.now() / 1000;
    const state = agent?.stateAt(now);
    if (agent === undefined || state === 'expired') throw refused('expired_token');
    if (state === 'revoked') throw refused('invalid_grant');
    if (state !== 'claimed') throw undecided(agent, now);
    checkCollectable(agent, now);
    agent.collected ??= { at: now, jti: crypto.randomUUID(), iat: Math.floor(now) };
    // Of several polls the last one has the token that lives.
    agent.live.clear();
    const answer = await tokens(agent, agent.scopes, config.issuer);
    const assertion = await issuer.assertion(agent);
    return {
      ...answer,
      identity_assertion: assertion.value,
      assertion_expires: iso(assertion.ends),
    };
  }

  function undecided({ attempt }: Agent, now: number): HttpProblem {
    if (attempt === undefined) return refused('authorization_pending');
    if (attempt.denied) return refused('access_denied');
    const isBurnt = attempt.wrongCodes >= LIMIT.codesPerAttempt;
    if (isBurnt || now >= attempt.ends) return refused('expired_token');
    const isEarly = now - attempt.lastPoll < attempt.interval - 1;
    attempt.lastPoll = now;
    if (!isEarly) return refused('authorization_pending');
    attempt.interval = Math.min(attempt.interval + 5, 60);
    return refused('slow_down');
  }

  function checkCollectable({ collected, claimedAt = 0, windowEnds }: Agent, now: number): void {
    const ends =
      collected === undefined
        ? Math.max(windowEnds, claimedAt + 3600)
        : collected.at + LIFE.redelivery;
    if (now >= ends) throw refused('invalid_grant');
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  access_denied: 'The user has denied it.',
  authorization_pending: 'The user has not decided yet.',
  expired_token: 'The code or the claim has expired.',
  invalid_grant: 'This claim is over.',
  slow_down: 'Wait five seconds longer between two polls.',
};

function refused(code: string): HttpProblem {
  return new HttpProblem(400, code, MESSAGES[code] ?? code);
}

function value(form: Form, name: string): string {
  const found = form[name] ?? '';
  if (found === '') throw new HttpProblem(400, 'invalid_request', `${name} is missing.`);
  return found;
}
