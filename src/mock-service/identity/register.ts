import type { Context } from 'hono';
import { type Faults, json, readJsonObject, remoteAddress, wireProblem } from '../../mock/index.ts';
import {
  DAY,
  ID_JAG_TOKEN_TYPE,
  type IdentityRequest,
  type IdentityType,
  identityRequest,
  instant,
  type JsonObject,
  normalizeEmail,
} from '../../protocol/index.ts';
import { randomDigits, randomToken, sha256 } from '../../runtime/index.ts';
import { claimBlock, freshAttempt } from '../claim/attempt-secrets.ts';
import type { ServiceFault } from '../faults/index.ts';
import { PATHS } from '../metadata.ts';
import type { ServiceContext } from '../service-context.ts';
import { countRegistration, enroll, type Gate } from '../store/index.ts';
import { registerByAssertion } from './register-by-assertion.ts';

/** `POST /agent/identity` (wire.md §3). */
export async function register(service: ServiceContext, c: Context): Promise<Response> {
  const members = await readJsonObject(c, 'identity');
  if (members['type'] === 'service_auth' && service.faults.has('listedTypeOff')) {
    throw wireProblem('identity', 'service_auth_not_enabled');
  }
  if (service.faults.has('unknownMembersRefused')) refuseUnknown(members);
  const body = identityRequest.safeParse(
    service.faults.has('typesUnchecked') ? withKnownType(members) : members,
  );
  if (!body.success) {
    const member = String(body.error.issues[0]?.path[0]);
    throw wireProblem('identity', 'invalid_request', {
      description: `The member ${member} is missing or is not a string.`,
    });
  }
  const request = readOlderForm(body.data, service.faults);
  const register = REGISTRARS.get(request.type);
  if (register === undefined) {
    throw wireProblem('identity', 'invalid_request', { description: 'The type is unknown.' });
  }
  if (
    !service.config.identityTypes.includes(register.type) &&
    !service.faults.has('typesUnchecked')
  ) {
    throw wireProblem('identity', `${register.type}_not_enabled`);
  }
  const gate = service.config.rateLimit ? limit(register.type, remoteAddress(c)) : undefined;
  return register.run(service, request, gate);
}

/** As a `switch` does that ends in `default: anonymous`. */
function withKnownType(members: JsonObject): JsonObject {
  const { type } = members;
  return typeof type === 'string' && REGISTRARS.has(type)
    ? members
    : { ...members, type: 'anonymous' };
}

/** As a schema does that was closed. */
function refuseUnknown(members: JsonObject): void {
  const unknown = Object.keys(members).find((name) => !(name in identityRequest.shape));
  if (unknown !== undefined) throw wireProblem('identity', 'invalid_request');
}

interface Registrar {
  readonly type: IdentityType;
  run(service: ServiceContext, request: IdentityRequest, gate: Gate | undefined): Promise<Response>;
}

const REGISTRARS: ReadonlyMap<string, Registrar> = new Map([
  ['anonymous', { type: 'anonymous', run: registerAnonymous }],
  ['service_auth', { type: 'service_auth', run: registerByEmail }],
  ['identity_assertion', { type: 'identity_assertion', run: registerByAssertion }],
]);

/** Clients of older revisions sent an address as `assertion` with the type `verified_email`. */
function readOlderForm(request: IdentityRequest, faults: Faults<ServiceFault>): IdentityRequest {
  const { type, assertion_type: kind, assertion, login_hint } = request;
  if (kind === undefined || kind === ID_JAG_TOKEN_TYPE) return request;
  const isEmail = kind === 'verified_email' || faults.has('assertionTypesUnchecked');
  if (isEmail && type === 'identity_assertion' && !faults.has('olderFormRefused')) {
    const hint = assertion ?? login_hint;
    return { type: 'service_auth', ...(hint !== undefined && { login_hint: hint }) };
  }
  if (type !== 'identity_assertion') return request;
  throw wireProblem('identity', 'invalid_request', {
    description: 'The assertion_type is not supported.',
  });
}

async function registerAnonymous(
  { assertions, clock, config, db, faults, moment, random }: ServiceContext,
  _request: IdentityRequest,
  gate: Gate | undefined,
): Promise<Response> {
  const claimToken = faults.has('claimTokensShort')
    ? `clm_${randomDigits(random, 16)}`
    : randomToken(random, 'clm_');
  const { facts } = await enroll(
    db,
    moment,
    {
      id: randomToken(random, 'reg_'),
      type: 'anonymous',
      claimTokenHash: sha256(claimToken),
      email: undefined,
      preClaimScopes: config.scopes.pre,
      postClaimScopes: config.scopes.post,
    },
    { gate },
  );
  const assertion = await assertions.sign(facts, {
    jti: randomToken(random, 'ia_'),
    issuedAt: clock.now(),
    expiresAt: facts.windowEndsAt + (faults.has('windowIgnored') ? DAY : 0),
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
  gate: Gate | undefined,
): Promise<Response> {
  const { clock, config, db, faults, moment, random, userCodeKey } = service;
  if (hint === undefined && !faults.has('hintsUnchecked')) {
    throw wireProblem('identity', 'invalid_request', { description: 'login_hint is missing.' });
  }
  const email = emailOf(String(hint), faults);
  if (email === undefined) throw wireProblem('identity', 'invalid_login_hint');
  const claimToken = randomToken(random, 'clm_');
  const attempt = freshAttempt(random, userCodeKey, faults);
  const known = faults.has('knownAddressTold') && (await service.users.isKnown(email));
  const { facts, attempt: opened } = await enroll(
    db,
    moment,
    {
      id: randomToken(random, 'reg_'),
      type: 'service_auth',
      claimTokenHash: sha256(claimToken),
      email,
      preClaimScopes: [],
      postClaimScopes: config.scopes.post,
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
    ...(known && { account: 'known' }),
    ...(faults.has('assertionBeforeClaim') && {
      identity_assertion: await service.assertions.sign(facts, {
        jti: randomToken(random, 'ia_'),
        issuedAt: clock.now(),
        expiresAt: facts.windowEndsAt,
      }),
    }),
  });
}

/** The address in a hint; undefined when it is none. */
function emailOf(hint: string, faults: Faults<ServiceFault>): string | undefined {
  if (faults.has('addressesFolded')) return normalizeEmail(folded(hint));
  if (faults.has('hintsUnchecked')) return normalizeEmail(hint) ?? hint;
  const email = normalizeEmail(hint);
  return email !== undefined && faults.has('letterCaseCounts') ? hint : email;
}

/** Makes one address of many, as mail providers do with those of their own. */
function folded(hint: string): string {
  return hint
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replaceAll('\u043e', 'o')
    .replace(/\+[^@]*@/, '@');
}

function limit(type: IdentityType, address: string | undefined): Gate {
  return async (tx, now) => {
    const wait = await countRegistration(tx, now, type, address);
    if (wait === undefined) return;
    throw wireProblem('identity', 'rate_limited', { headers: { 'retry-after': String(wait) } });
  };
}
