import {
  type IdJag,
  isAimedAt,
  json,
  Problem,
  readEmail,
  readIdJag,
  readJson,
} from '../support.ts';
import { openAttempt } from './claim.ts';
import { POST_CLAIM, PRE_CLAIM } from './scopes.ts';
import {
  addRegistration,
  keyOf,
  type Registration,
  type Service,
  signAssertion,
} from './service.ts';

/** POST /agent/identity */
export async function register(service: Service, request: Request): Promise<Response> {
  const body = await readJson(request);
  if (body['type'] === 'anonymous') return registerAnonymous(service);
  if (body['type'] === 'service_auth') return registerByEmail(service, body['login_hint']);
  if (body['type'] === 'identity_assertion') return registerByIdJag(service, body['assertion']);
  throw new Problem(400, 'invalid_request', 'type is missing or unknown.');
}

async function registerAnonymous(service: Service): Promise<Response> {
  const registration = addRegistration(service, { kind: 'anonymous', status: 'unclaimed' });
  return json(200, {
    ...claimHandles(service, registration),
    ...(await signAssertion(service, registration)),
    pre_claim_scopes: PRE_CLAIM,
  });
}

function registerByEmail(service: Service, hint: unknown): Response {
  const email = readEmail(hint);
  if (email === undefined)
    throw new Problem(400, 'invalid_login_hint', 'login_hint is not an email.');
  const registration = addRegistration(service, {
    kind: 'service_auth',
    status: 'unclaimed',
    email,
  });
  return json(200, {
    ...claimHandles(service, registration),
    claim: openAttempt(service, registration),
  });
}

async function registerByIdJag(service: Service, assertion: unknown): Promise<Response> {
  const idJag = await readIdJag(assertion, service.keys, service.now());
  if (!service.has('id-jag-audience') && !isAimedAt(idJag.aud, service.origin)) {
    throw new Problem(400, 'invalid_audience', 'The assertion is for another audience.');
  }
  refuseUsed(service, idJag);
  const user = keyOf(idJag.iss, idJag.sub);
  const owner = service.links.get(user);
  if (owner === undefined && service.accounts.has(idJag.email) && !service.has('silent-link')) {
    throw confirmationNeeded(service, idJag);
  }
  service.usedIdJags.set(keyOf(idJag.iss, idJag.jti), idJag.exp);
  const email = owner ?? idJag.email;
  service.accounts.add(email);
  service.links.set(user, email);
  const registration = addRegistration(service, {
    kind: 'identity_assertion',
    status: 'claimed',
    email,
    user: { iss: idJag.iss, sub: idJag.sub },
  });
  return json(200, {
    registration_id: registration.id,
    registration_type: registration.kind,
    ...(await signAssertion(service, registration)),
    scopes: POST_CLAIM,
  });
}

/** Used before, or minted before the provider took the user's assertions back. */
function refuseUsed(service: Service, { iss, sub, jti, iat }: IdJag): void {
  if (service.usedIdJags.has(keyOf(iss, jti))) {
    throw new Problem(400, 'replay_detected', 'The assertion was used before.');
  }
  if (iat < (service.revokedUsers.get(keyOf(iss, sub)) ?? 0)) {
    throw new Problem(400, 'invalid_assertion', 'The assertion was revoked.');
  }
}

/**
 * The email has an account already: its owner decides, signed in, whether this user of the provider is
 * the same user. The ID-JAG stays usable for afterwards.
 */
function confirmationNeeded(service: Service, { iss, sub, email }: IdJag): Problem {
  const waiting = [...service.registrations.values()].find(
    (one) => one.status === 'unclaimed' && one.user?.iss === iss && one.user.sub === sub,
  );
  const registration =
    waiting ??
    addRegistration(service, {
      kind: 'identity_assertion',
      status: 'unclaimed',
      email,
      user: { iss, sub },
    });
  return new Problem(401, 'interaction_required', 'The owner of the account has to agree.', {
    ...claimHandles(service, registration),
    claim: openAttempt(service, registration),
  });
}

function claimHandles(service: Service, registration: Registration) {
  return {
    registration_id: registration.id,
    registration_type: registration.kind,
    claim_url: `${service.origin}/agent/identity/claim`,
    claim_token: registration.claimToken,
    claim_token_expires: new Date(registration.claimUntil).toISOString(),
    post_claim_scopes: POST_CLAIM,
  };
}
