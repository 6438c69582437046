import { type Context, json, readJsonObject, remoteIp, wireProblem } from '../../mock/index.ts';
import {
  type IdentityRequest,
  type IdentityType,
  identityRequest,
  instant,
} from '../../protocol/index.ts';
import { randomToken, sha256 } from '../../runtime/index.ts';
import { claimBlock, freshAttempt } from '../claim-attempt/fresh-attempt.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { countRegistration, enroll, type Gate } from '../store/index.ts';
import { readAgentName } from './agent-name.ts';
import { registerByAssertion } from './register-by-assertion.ts';

/** `POST /agent/identity` (wire contract §3). */
export async function register(service: ServiceContext, c: Context): Promise<Response> {
  const { config, decisions, reader } = service;
  const body = identityRequest.safeParse(await readJsonObject(reader, c, 'identity'));
  if (!body.success) {
    const member = String(body.error.issues[0]?.path[0]);
    throw wireProblem('identity', 'invalid_request', {
      description: `The member ${member} is missing or is not a string.`,
    });
  }
  const request = decisions.readOlderForm(body.data);
  if (request === undefined) {
    throw wireProblem('identity', 'invalid_request', {
      description: 'The assertion_type is not supported.',
    });
  }
  const register = REGISTRARS.get(request.type);
  if (register === undefined) {
    throw wireProblem('identity', 'invalid_request', { description: 'The type is unknown.' });
  }
  if (!config.identityTypes.includes(register.type)) {
    throw wireProblem('identity', `${register.type}_not_enabled`);
  }
  const gate = config.rateLimit ? limit(register.type, remoteIp(c)) : undefined;
  return register.run(service, request, { agentName: readAgentName(body.data), gate });
}

/** Beside what the types differ in. */
export interface Applicant {
  readonly agentName: string | undefined;
  readonly gate: Gate | undefined;
}

interface Registrar {
  readonly type: IdentityType;
  run(service: ServiceContext, request: IdentityRequest, applicant: Applicant): Promise<Response>;
}

const REGISTRARS: ReadonlyMap<string, Registrar> = new Map([
  ['anonymous', { type: 'anonymous', run: registerAnonymous }],
  ['service_auth', { type: 'service_auth', run: registerByEmail }],
  ['identity_assertion', { type: 'identity_assertion', run: registerByAssertion }],
]);

async function registerAnonymous(
  service: ServiceContext,
  _request: IdentityRequest,
  { agentName, gate }: Applicant,
): Promise<Response> {
  const { assertions, clock, config, random, secrets } = service;
  const claimToken = secrets.claimToken();
  const { facts } = await enroll(
    service,
    {
      id: randomToken(random, 'reg_'),
      type: 'anonymous',
      agentName,
      claimTokenHash: sha256(claimToken),
      email: undefined,
      preClaimScopes: config.scopes.preClaim,
      postClaimScopes: config.scopes.postClaim,
    },
    { gate },
  );
  const assertion = await assertions.sign(facts, {
    jti: randomToken(random, 'ia_'),
    issuedAt: clock.now(),
    expiresAt: facts.windowEndsAt,
  });
  return json({
    registration_id: facts.id,
    registration_type: facts.type,
    identity_assertion: assertion,
    assertion_expires: instant(facts.windowEndsAt),
    pre_claim_scopes: facts.preClaimScopes,
    post_claim_scopes: facts.postClaimScopes,
    claim_url: config.issuer + PATHS.claim,
    claim_token: claimToken,
    claim_token_expires: instant(facts.windowEndsAt),
  });
}

async function registerByEmail(
  service: ServiceContext,
  { login_hint: hint }: IdentityRequest,
  { agentName, gate }: Applicant,
): Promise<Response> {
  const { clock, config, decisions, random, secrets } = service;
  if (hint === undefined) {
    throw wireProblem('identity', 'invalid_request', { description: 'login_hint is missing.' });
  }
  const email = decisions.readEmail(hint);
  if (email === undefined) throw wireProblem('identity', 'invalid_login_hint');
  const claimToken = secrets.claimToken();
  const attempt = freshAttempt(service);
  const { facts, attempt: opened } = await enroll(
    service,
    {
      id: randomToken(random, 'reg_'),
      type: 'service_auth',
      agentName,
      claimTokenHash: sha256(claimToken),
      email,
      preClaimScopes: [],
      postClaimScopes: config.scopes.postClaim,
    },
    { attempt: attempt.stored, gate },
  );
  return json({
    registration_id: facts.id,
    registration_type: facts.type,
    claim_url: config.issuer + PATHS.claim,
    claim_token: claimToken,
    claim_token_expires: instant(facts.windowEndsAt),
    post_claim_scopes: facts.postClaimScopes,
    claim: opened && claimBlock(config.issuer, attempt, opened, clock.now()),
  });
}

function limit(type: IdentityType, ip: string | undefined): Gate {
  return async (tx, now) => {
    const wait = await countRegistration(tx, now, type, ip);
    if (wait === undefined) return;
    throw wireProblem('identity', 'rate_limited', { headers: { 'retry-after': String(wait) } });
  };
}
