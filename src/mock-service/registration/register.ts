import { remoteIp } from '../../mock/http/connection.ts';
import { type Context, readJsonObject } from '../../mock/http/request.ts';
import { type WireProblem, wireProblem } from '../../mock/http/response.ts';
import type { IdentityType } from '../../protocol/constants.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { freshAttempt, noteOpened } from '../claim-attempt/fresh-attempt.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { Agent, Registered, RegistrationRequest, Renewed } from '../dialects/dialect.ts';
import { mailCode } from '../mails/mail-code.ts';
import { countRegistration, type Gate } from '../store/rate-limit.ts';
import { findRefreshToken } from '../store/token-store.ts';
import { issueDirect } from '../tokens/issue-direct.ts';
import { type RegistrationParts, registerByAssertion } from './register-by-assertion.ts';

/** `POST /agent/identity` (wire contract §3). */
export async function register(service: RegistrationParts, c: Context): Promise<Response> {
  const { clock, config, dialect, reader } = service;
  const members = await readJsonObject(reader, c, 'identity');
  const request = dialect.registration.read(members, {
    admit: (type) => {
      if (!config.identityTypes.includes(type)) {
        throw wireProblem('identity', `${type}_not_enabled`);
      }
    },
  });
  const speaker = () => ({ issuer: config.issuer, now: clock.now() });
  if (request.type === 'refresh') {
    return request.write(await renew(service, request.refreshToken), speaker());
  }
  const gate = config.rateLimit ? limit(request.type, remoteIp(c.req.raw)) : undefined;
  const made = await make(service, request, gate);
  return dialect.registration.write(made, speaker());
}

async function make(
  service: RegistrationParts,
  request: Exclude<RegistrationRequest, { type: 'refresh' }>,
  gate: Gate | undefined,
): Promise<Registered> {
  switch (request.type) {
    case 'anonymous':
      return registerAnonymous(service, request, gate);
    case 'service_auth':
      return registerByEmail(service, request, gate);
    case 'identity_assertion':
      return registerByAssertion(service, request, gate);
  }
}

async function registerAnonymous(
  service: RegistrationParts,
  { agentName }: Agent,
  gate: Gate | undefined,
): Promise<Registered> {
  const { assertions, clock, config, random, registrations, secrets } = service;
  const claimToken = secrets.claimToken();
  const facts = await registrations.enroll(
    {
      id: randomToken(random, 'reg_'),
      type: 'anonymous',
      agentName,
      claimTokenHash: sha256(claimToken),
      email: undefined,
      preClaimScopes: config.scopes.preClaim,
      postClaimScopes: config.scopes.postClaim,
    },
    gate,
  );
  const expiresAt = facts.windowEndsAt;
  const jti = randomToken(random, 'ia_');
  const jwt = await assertions.sign(facts, { jti, issuedAt: clock.now(), expiresAt });
  const direct = await issueDirect(service, facts, jti);
  return { kind: 'anonymous', facts, assertion: { jwt, expiresAt }, direct, claimToken };
}

async function registerByEmail(
  service: RegistrationParts,
  { agentName, hint }: Extract<RegistrationRequest, { type: 'service_auth' }>,
  gate: Gate | undefined,
): Promise<Registered> {
  const { config, decisions, random, registrations, secrets } = service;
  const email = decisions.readEmail(hint);
  if (email === undefined) throw wireProblem('identity', 'invalid_login_hint');
  const claimToken = secrets.claimToken();
  const fresh = freshAttempt(service);
  const { facts, opened } = await registrations.enrollPending(
    {
      id: randomToken(random, 'reg_'),
      type: 'service_auth',
      agentName,
      claimTokenHash: sha256(claimToken),
      email,
      preClaimScopes: [],
      postClaimScopes: config.scopes.postClaim,
    },
    fresh.stored,
    gate,
  );
  noteOpened(service, fresh);
  const attempt = { ...fresh, ...opened };
  await mailCode(service, { facts, attempt, email });
  return { kind: 'to_be_claimed', facts, claimToken, attempt };
}

function limit(type: IdentityType, ip: string | undefined): Gate {
  return async (tx, now) => {
    const wait = await countRegistration(tx, now, type, ip);
    if (wait === undefined) return;
    throw wireProblem('identity', 'rate_limited', { headers: { 'retry-after': String(wait) } });
  };
}

/**
 * Trades a refresh token for the next one and a fresh assertion. It works once: a second time, somebody has a
 * copy, and whatever came of it ends (RFC 9700 §4.14.2).
 */
async function renew(service: RegistrationParts, refreshToken: string): Promise<Renewed> {
  const { assertions, clock, random, registrations } = service;
  const hash = sha256(refreshToken);
  const next = randomToken(random, 'art_');
  const assertionJti = randomToken(random, 'ia_');
  const decided = await registrations.decide(
    'refresh',
    { by: 'refresh_token_hash', value: hash },
    'agent',
    async (_facts, tx) => {
      const known = await findRefreshToken(tx, hash, clock.now());
      if (known === undefined) throw notRenewable();
      return { hash, isSpent: known.isSpent, nextHash: sha256(next), assertionJti };
    },
  );
  if (decided === undefined) throw notRenewable();
  const { facts, outcome } = decided;
  if (outcome.kind !== 'refreshed') throw refusalProblem(outcome);
  const { assertion, refreshExpiresAt } = outcome;
  return {
    facts,
    assertion: {
      jwt: await assertions.sign(facts, assertion),
      expiresAt: assertion.expiresAt,
    },
    refreshToken: { token: next, expiresAt: refreshExpiresAt },
  };
}

function notRenewable(): WireProblem {
  return wireProblem('refresh', 'invalid_refresh_token');
}
