import { remoteIp } from '../../mock/http/connection.ts';
import { type BodyReader, type Context, readJsonObject } from '../../mock/http/request.ts';
import { type WireProblem, wireProblem } from '../../mock/http/response.ts';
import type { CodeAt } from '../../protocol/codes.ts';
import { type IdentityType, JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { AssertionTimes, RegistrationFacts } from '../claim-machine/facts.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { freshAttempt, noteOpened, type Secrets } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceConfig } from '../config/config.ts';
import type {
  Agent,
  Registered,
  RegistrationRequest,
  Renewed,
  ServiceDialect,
} from '../dialects/dialect.ts';
import type { IdJagCheck, IdJagRefusal } from '../id-jag/id-jag-checks.ts';
import type { IdJagResult, readIdJag } from '../id-jag/read-id-jag.ts';
import { mailCode } from '../mails/mail-code.ts';
import type { IdJagStore } from '../store/id-jag-store.ts';
import type { MailStore } from '../store/mail-store.ts';
import { countRegistration, type Gate } from '../store/rate-limit.ts';
import type { RegistrationStore } from '../store/registration-store.ts';
import { findRefreshToken } from '../store/token-store.ts';
import { issueDirect } from '../tokens/issue-direct.ts';
import {
  type FailedJwt,
  type JwtProblem,
  type JwtVerifier,
  unavailableText,
  verifyProviderJwt,
} from '../trust/jwt-verifier.ts';

/** What agents are registered with. */
interface RegistrationParts {
  readonly assertions: {
    readonly sign: (facts: RegistrationFacts, times: AssertionTimes) => Promise<string>;
  };
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly decisions: {
    readonly readEmail: (text: string) => string | undefined;
    readonly readIdJag: typeof readIdJag;
    readonly idJagChecks: readonly IdJagCheck[];
  };
  readonly dialect: ServiceDialect;
  readonly idJags: IdJagStore;
  readonly mails: MailStore;
  readonly random: Random;
  readonly reader: BodyReader;
  readonly registrations: RegistrationStore;
  readonly secrets: Secrets;
  readonly verifier: JwtVerifier;
}

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

/** `type: identity_assertion`: an ID-JAG, and the three outcomes that it can have (wire contract §3). */
async function registerByAssertion(
  service: RegistrationParts,
  { agentName, assertion }: Extract<RegistrationRequest, { type: 'identity_assertion' }>,
  gate: Gate | undefined,
): Promise<Registered> {
  const { assertions, clock, config, dialect, idJags, random, secrets } = service;
  const verified = await verifyIdJag(service, assertion);
  if (!verified.ok) throw idJagProblem(verified.refusal);

  const claimToken = secrets.claimToken();
  const fresh = freshAttempt(service);
  const accepted = await idJags.accept(
    verified.idJag,
    {
      registrationId: randomToken(random, 'reg_'),
      userId: randomToken(random, 'usr_'),
      assertionJti: randomToken(random, 'ia_'),
      claimTokenHash: sha256(claimToken),
      attempt: fresh.stored,
      agentName,
    },
    gate,
  );
  switch (accepted.kind) {
    case 'refused':
      throw wireProblem('identity', accepted.code, REFUSAL_DETAILS[accepted.code]);
    case 'exhausted':
      throw wireProblem('identity', 'rate_limited', {
        headers: { 'retry-after': String(Math.ceil((accepted.until - clock.now()) / SECOND)) },
      });
    case 'established': {
      const { assertion: times, facts } = accepted;
      const jwt = await assertions.sign(facts, times);
      const direct = await issueDirect(service, facts, times.jti);
      return { kind: 'established', facts, assertion: { jwt, expiresAt: times.expiresAt }, direct };
    }
    case 'confirm': {
      const { expiresAt, facts, interval } = accepted;
      noteOpened(service, fresh);
      const attempt = { ...fresh, expiresAt, interval };
      await mailCode(service, { facts, attempt, email: facts.email });
      const speaker = { issuer: config.issuer, now: clock.now() };
      throw wireProblem('identity', 'interaction_required', {
        members: dialect.registration.confirmation({ facts, claimToken, attempt }, speaker),
      });
    }
  }
}

/** Where the text of the code is too general. */
const REFUSAL_DETAILS: Readonly<Record<string, { readonly description: string }>> = {
  missing_verified_email: {
    description: 'The account with that phone number has no email, so its owner cannot be asked.',
  },
};

function idJagProblem({ code, ...details }: IdJagRefusal): WireProblem {
  return wireProblem('identity', code, {
    ...details,
    ...(code === 'temporarily_unavailable' && { headers: { 'retry-after': '5' } }),
  });
}

const CODE_OF: Readonly<Record<JwtProblem, CodeAt<'identity'>>> = {
  not_a_jwt: 'invalid_request',
  wrong_type: 'invalid_request',
  bad_header: 'invalid_signature',
  unknown_issuer: 'invalid_issuer',
  no_key: 'invalid_signature',
  bad_signature: 'invalid_signature',
  keys_unavailable: 'temporarily_unavailable',
};

/** Verifies an ID-JAG up to its `jti`: header, issuer and signature first, then what it says (wire contract §3). */
async function verifyIdJag(
  { clock, config, decisions, verifier }: RegistrationParts,
  assertion: string,
): Promise<IdJagResult> {
  // The time of arrival, however long fetching the keys takes.
  const now = clock.now();
  const verified = await verifyProviderJwt(assertion, JWT_TYPE.idJag, verifier);
  if (!verified.ok) return { ok: false, refusal: refusalOf(verified) };
  const read = decisions.readIdJag(verified.claims, { trusted: verified.trusted, config });
  if (!read.ok) return read;
  const facts = { idJag: read.idJag, config, now };
  for (const { check } of decisions.idJagChecks) {
    const refusal = check(facts);
    if (refusal) return { ok: false, refusal };
  }
  return read;
}

function refusalOf({ problem, url }: FailedJwt): IdJagRefusal {
  const code = CODE_OF[problem];
  if (problem === 'wrong_type') return { code, description: 'The assertion is not an ID-JAG.' };
  return url === undefined ? { code } : { code, description: unavailableText(url) };
}
