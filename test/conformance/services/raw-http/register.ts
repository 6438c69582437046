import { isClosed, shown, startAttempt, startClaim, TRIES_IN_ALL } from './attempts.ts';
import { type Handler, json, jsonBody, Refusal, type Reply, text } from './http.ts';
import { isEmail, type Vouched, verifyIdJag } from './id-jag.ts';
import { signJwt } from './jwt.ts';
import { ID_JAG } from './metadata.ts';
import {
  DAY,
  HOUR,
  type Kind,
  READ,
  type Registration,
  SECOND,
  type State,
  secret,
  WRITE,
} from './state.ts';

export const ASSERTION_TYPE = 'agent-identity+jwt';
const WINDOW = DAY;

export const register: Handler = async (call) => {
  const body = jsonBody(call);
  const { state } = call;
  switch (text(body, 'type')) {
    case 'anonymous':
      return anonymous(state);
    case 'service_auth':
      return byEmail(state, text(body, 'login_hint'));
    case 'verified_email':
      return byEmail(state, text(body, 'assertion'));
    case 'identity_assertion': {
      const type = body['assertion_type'];
      if (type !== undefined && type !== ID_JAG) {
        throw new Refusal(400, 'invalid_request', 'This type of assertion is not known.');
      }
      return byIdJag(state, await verifyIdJag(state, text(body, 'assertion')));
    }
    default:
      throw new Refusal(400, 'invalid_request', 'This type of registration is not known.');
  }
};

function create(state: State, kind: Kind, more: Partial<Registration>): Registration {
  const registration: Registration = {
    id: `reg_${secret(16)}`,
    kind,
    ends: state.now() + WINDOW,
    email: undefined,
    scopes: [READ, WRITE],
    subject: undefined,
    provider: undefined,
    vouchedAt: 0,
    version: 1,
    claimKey: undefined,
    attempt: undefined,
    wrong: 0,
    claimedAt: undefined,
    revoked: false,
    delivered: undefined,
    ...more,
  };
  state.registrations.set(registration.id, registration);
  return registration;
}

function anonymous(state: State): Reply {
  const registration = create(state, 'anonymous', {});
  const { assertion, expires } = assertionFor(state, registration, registration.ends);
  return json(200, {
    registration_id: registration.id,
    registration_type: 'anonymous',
    identity_assertion: assertion,
    assertion_expires: new Date(expires).toISOString(),
    pre_claim_scopes: [READ],
    ...claimMembers(state, registration),
  });
}

function byEmail(state: State, email: string): Reply {
  if (!isEmail(email)) {
    throw new Refusal(400, 'invalid_login_hint', 'login_hint is not an email address.');
  }
  const registration = create(state, 'service_auth', { email: email.toLowerCase() });
  return json(200, {
    registration_id: registration.id,
    registration_type: 'service_auth',
    ...claimMembers(state, registration),
    claim: shown(startAttempt(state, registration)),
  });
}

async function byIdJag(state: State, vouched: Vouched): Promise<Reply> {
  if (!(await vouched.use()))
    throw new Refusal(400, 'replay_detected', 'This ID-JAG was used before.');
  const known = state.bySubject.get(vouched.subject);
  if (known?.claimedAt !== undefined) {
    if (vouched.iat >= known.vouchedAt) {
      known.scopes = vouched.scopes;
      known.vouchedAt = vouched.iat;
    }
    return established(state, known);
  }
  if (!state.users.has(vouched.email)) {
    state.users.set(vouched.email, 'provisioned');
    return established(state, bySubject(state, vouched, known, state.now()));
  }
  return ask(state, bySubject(state, vouched, known, undefined));
}

/** The registration of a subject, as its newest ID-JAG has it. */
function bySubject(
  state: State,
  { subject, provider, email, scopes, iat }: Vouched,
  known: Registration | undefined,
  claimedAt: number | undefined,
): Registration {
  const isPending = known !== undefined && !isClosed(state, known);
  const registration = isPending
    ? known
    : create(state, 'identity_assertion', { subject, provider });
  registration.claimedAt = claimedAt;
  registration.email = email;
  if (iat >= registration.vouchedAt) {
    registration.scopes = scopes;
    registration.vouchedAt = iat;
  }
  state.bySubject.set(subject, registration);
  return registration;
}

function established(state: State, registration: Registration): Reply {
  const { assertion, expires } = assertionFor(state, registration, state.now() + HOUR);
  return json(200, {
    registration_id: registration.id,
    registration_type: registration.kind,
    identity_assertion: assertion,
    assertion_expires: new Date(expires).toISOString(),
    scopes: registration.scopes,
  });
}

/** There is such an account: its owner decides whether the agent may speak for it. */
function ask(state: State, registration: Registration): Reply {
  if (registration.wrong >= TRIES_IN_ALL) {
    throw new Refusal(429, 'rate_limited', 'Too many wrong codes.', {}, { 'retry-after': '3600' });
  }
  const members = claimMembers(state, registration);
  throw new Refusal(
    401,
    'interaction_required',
    'The owner of the account has to confirm the link.',
    {
      registration_id: registration.id,
      registration_type: registration.kind,
      ...members,
      claim: shown(startAttempt(state, registration)),
    },
    { 'www-authenticate': 'AgentAuth error="interaction_required"' },
  );
}

function claimMembers(state: State, registration: Registration) {
  return {
    post_claim_scopes: registration.scopes,
    claim_url: `${state.origin}/agent/identity/claim`,
    claim_token: startClaim(state, registration),
    claim_token_expires: new Date(registration.ends).toISOString(),
  };
}

/** Signs that the bearer speaks for a registration, until `ends`. */
export function assertionFor(state: State, registration: Registration, ends: number) {
  const { email, claimedAt, id, version } = registration;
  const exp = Math.floor(ends / SECOND);
  const assertion = signJwt(state, ASSERTION_TYPE, {
    sub: id,
    jti: secret(16),
    exp,
    ver: version,
    ...(claimedAt !== undefined && email !== undefined && { email, email_verified: true }),
  });
  return { assertion, expires: exp * SECOND };
}
