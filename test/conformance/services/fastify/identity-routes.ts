import type { FastifyInstance } from 'fastify';
import type { Agent, Started } from './agents.ts';
import { HttpProblem, ID_JAG, LIFE, LIMIT } from './config.ts';
import { agentProblem, handleProblems, iso, noStore } from './plumbing.ts';
import type { Identity } from './providers.ts';
import type { Service } from './service.ts';
import { emailOf } from './users.ts';

const text = { type: 'string', minLength: 1, maxLength: 16_384 } as const;

const registration = {
  type: 'object',
  required: ['type'],
  properties: { type: text, login_hint: text, assertion: text, assertion_type: text },
} as const;

const claim = {
  type: 'object',
  required: ['claim_token'],
  properties: { claim_token: text, email: text, login_hint: text },
} as const;

interface RegistrationBody {
  readonly type: string;
  readonly login_hint?: string;
  readonly assertion?: string;
  readonly assertion_type?: string;
}

interface ClaimBody {
  readonly claim_token: string;
  readonly email?: string;
  readonly login_hint?: string;
}

/** `/agent/identity` and `/agent/identity/claim`. */
export async function identityRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { agents, config, issuer, providers, users } = service;
  handleProblems(app, service.config, agentProblem);

  app.post<{ Body: RegistrationBody }>(
    '/agent/identity',
    { schema: { body: registration } },
    async ({ body }, reply) => {
      noStore(reply);
      checkText(body);
      if (body.type === 'anonymous') return registerAnonymous(body);
      if (body.type === 'service_auth') return registerByEmail(body.login_hint);
      if (body.type !== 'identity_assertion') throw invalid('This type is not known.');
      if (body.assertion === undefined) throw invalid('assertion is missing.');
      if (body.assertion_type === 'verified_email') return registerByEmail(body.assertion);
      if (body.assertion_type !== undefined && body.assertion_type !== ID_JAG) {
        throw invalid('This assertion_type is not known.');
      }
      return registerByIdentity(await providers.verifyIdJag(body.assertion));
    },
  );

  app.post<{ Body: ClaimBody }>(
    '/agent/identity/claim',
    { schema: { body: claim } },
    async ({ body }, reply) => {
      noStore(reply);
      const agent = agents.byClaimToken(body.claim_token);
      if (agent === undefined) {
        throw new HttpProblem(401, 'invalid_claim_token', 'This claim token is not known.');
      }
      checkClaimable(agent);
      agent.email = claimEmail(agent, body);
      const started = agents.startAttempt(agent);
      return {
        registration_id: agent.id,
        claim_attempt_id: started.id,
        status: 'initiated',
        expires_at: iso(started.ends),
        claim_attempt: shown(started),
      };
    },
  );

  async function registerAnonymous(body: RegistrationBody) {
    const agent = agents.create('anonymous');
    if (config.has('mass-assignment')) Object.assign(agent, body);
    const assertion = await issuer.assertion(agent);
    return {
      ...head(agent),
      identity_assertion: assertion.value,
      assertion_expires: iso(assertion.ends),
      pre_claim_scopes: agent.pre_claim_scopes,
      ...claimMembers(agent),
    };
  }

  function registerByEmail(hint: string | undefined) {
    if (hint === undefined) throw invalid('login_hint is missing.');
    const email = emailOf(hint);
    if (email === undefined) {
      throw new HttpProblem(400, 'invalid_login_hint', 'login_hint is not an email address.');
    }
    const agent = agents.create('service_auth');
    agent.email = email;
    const members = claimMembers(agent);
    return { ...head(agent), ...members, claim: shown(agents.startAttempt(agent)) };
  }

  async function registerByIdentity(identity: Identity) {
    const known = agents.bySubject(identity.subject);
    const used = ['id-jag', identity.subject.issuer, identity.jti];
    if (!providers.once(used, identity.exp + LIFE.skew)) {
      throw new HttpProblem(400, 'replay_detected', 'This ID-JAG was here before.');
    }
    const isNew = known?.claimedAt === undefined && !users.hasAccount(identity.email);
    const agent = known ?? agents.create('identity_assertion', identity.subject);
    if (identity.iat >= agent.vouchedAt) {
      agent.vouchedAt = identity.iat;
      agent.scopes = identity.scopes;
    }
    if (agent.claimedAt === undefined) agent.email = identity.email;
    if (isNew) {
      users.provision(identity.email);
      agent.claimedAt = config.now() / 1000;
    }
    if (agent.claimedAt === undefined) throw confirmation(agent);
    const assertion = await issuer.assertion(agent);
    return {
      ...head(agent),
      identity_assertion: assertion.value,
      assertion_expires: iso(assertion.ends),
      scopes: agent.scopes,
    };
  }

  /** There is an account of this email: its owner is asked. */
  function confirmation(agent: Agent): HttpProblem {
    checkTries(agent, 'rate_limited');
    const members = claimMembers(agent);
    const claim = shown(agents.startAttempt(agent));
    const message = 'The owner of the account has to agree first.';
    const extra = { ...head(agent), ...members, claim };
    return new HttpProblem(401, 'interaction_required', message, { extra });
  }

  function checkClaimable(agent: Agent): void {
    const state = agent.stateAt(config.now() / 1000);
    if (state === 'revoked' || state === 'expired') {
      throw new HttpProblem(410, 'claim_expired', 'This registration can no longer be claimed.');
    }
    if (state === 'claimed') throw new HttpProblem(409, 'claimed_or_in_flight', 'It is claimed.');
    checkTries(agent, 'too_many_attempts');
  }

  function checkTries({ wrongCodes }: Agent, code: string): void {
    if (wrongCodes < LIMIT.codesInAll) return;
    const headers = { 'retry-after': String(LIFE.window) };
    throw new HttpProblem(429, code, 'Too many wrong codes were entered.', { headers });
  }

  function head({ id, kind }: Agent) {
    return { registration_id: id, registration_type: kind };
  }

  function claimMembers(agent: Agent) {
    return {
      claim_url: `${config.issuer}/agent/identity/claim`,
      claim_token: agents.newClaimToken(agent),
      claim_token_expires: iso(agent.windowEnds),
      post_claim_scopes: agent.scopes,
    };
  }

  function shown({ code, link, ends }: Started) {
    const claimPage = `/claim?claim_attempt_token=${link}`;
    return {
      user_code: code,
      verification_uri: `${config.issuer}/login?return_to=${encodeURIComponent(claimPage)}`,
      expires_in: Math.floor(ends - config.now() / 1000),
      interval: LIFE.interval,
    };
  }
}

function claimEmail(agent: Agent, { email, login_hint: hint }: ClaimBody): string {
  const given = email ?? hint ?? agent.email;
  const address = emailOf(given);
  if (address === undefined) throw invalid('email is not an email address.');
  if (hint !== undefined && emailOf(hint) !== address)
    throw invalid('email and login_hint differ.');
  if (agent.kind !== 'anonymous' && address !== agent.email) {
    throw new HttpProblem(403, 'email_mismatch', 'This claim is of another email.');
  }
  return address;
}

/** No database takes U+0000 or half a pair of surrogates. */
function checkText(body: object): void {
  for (const value of Object.values(body)) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw invalid('The body holds what is not text.');
    }
  }
}

function invalid(message: string): HttpProblem {
  return new HttpProblem(400, 'invalid_request', message);
}
