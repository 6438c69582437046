import { isBurnt, isClosed, isOpen } from './attempts.ts';
import { formBody, type Handler, json, NO_STORE, quoted, Refusal, type Reply } from './http.ts';
import { isSignedBy, isTyped, parseJwt } from './jwt.ts';
import { CLAIM_GRANT, JWT_BEARER } from './metadata.ts';
import { ASSERTION_TYPE, assertionFor } from './register.ts';
import {
  type AccessToken,
  type Attempt,
  DAY,
  endTokens,
  HOUR,
  hashOf,
  MINUTE,
  READ,
  type Registration,
  SECOND,
  type State,
  secret,
  WRITE,
} from './state.ts';

const TOKEN_LIVES = HOUR;
const CLAIMED_ASSERTION = 30 * DAY;
const REDELIVERY = 10 * MINUTE;
const LONGEST_INTERVAL = 60;

type Form = ReadonlyMap<string, string>;

export const token: Handler = (call) => {
  const form = clientForm(call);
  const grant = required(form, 'grant_type');
  if (grant === JWT_BEARER) return exchange(call.state, form);
  if (grant === CLAIM_GRANT) return poll(call.state, required(form, 'claim_token'));
  throw new Refusal(400, 'unsupported_grant_type', 'This grant is not known.');
};

/** The form of a client that has no secret. */
function clientForm(call: Parameters<Handler>[0]): Form {
  const form = formBody(call);
  const isAuthenticated = ['client_secret', 'client_assertion'].some((name) => form.has(name));
  if (isAuthenticated || call.headers.authorization !== undefined) {
    const challenge = { 'www-authenticate': 'Basic realm="clients"' };
    throw new Refusal(401, 'invalid_client', 'Clients do not authenticate here.', {}, challenge);
  }
  return form;
}

function required(form: Form, name: string): string {
  const value = form.get(name) ?? '';
  if (value === '') throw new Refusal(400, 'invalid_request', `${name} is missing.`);
  return value;
}

function exchange(state: State, form: Form): Reply {
  const registration = registrationOf(state, required(form, 'assertion'));
  if (registration === undefined) {
    throw new Refusal(400, 'invalid_grant', 'The assertion is not, or no longer, valid here.');
  }
  // RFC 6749 §3.2: a parameter without a value is as good as none.
  const resource = form.get('resource') || undefined;
  const known = [state.origin, `${state.origin}/`, `${state.origin}/api/resource`];
  if (resource !== undefined && !known.includes(resource)) {
    throw new Refusal(400, 'invalid_target', 'This resource is not served here.');
  }
  const { members } = issue(state, registration, narrowed(scopesNow(registration), form));
  // RFC 6749 §5.1: the scope that was asked for need not be said again.
  const { scope: _, ...others } = members;
  return json(200, form.get('scope') ? others : members);
}

/** The registration that an assertion of ours speaks for, where both are in force. */
function registrationOf(state: State, assertion: string): Registration | undefined {
  const jwt = parseJwt(assertion);
  if (jwt === undefined || !isTyped(jwt, ASSERTION_TYPE)) return undefined;
  if (!isSignedBy(jwt, [state.signer.jwk])) return undefined;
  const { iss, aud, sub, exp, ver } = jwt.claims;
  if (iss !== state.origin || aud !== state.origin || typeof sub !== 'string') return undefined;
  if (typeof exp !== 'number' || exp * SECOND <= state.now()) return undefined;
  const registration = state.registrations.get(sub);
  if (registration === undefined || isClosed(state, registration)) return undefined;
  if (registration.kind !== 'anonymous' && registration.claimedAt === undefined) return undefined;
  return ver === registration.version ? registration : undefined;
}

function scopesNow({ kind, claimedAt, scopes }: Registration): readonly string[] {
  return kind === 'anonymous' && claimedAt === undefined ? [READ] : scopes;
}

function narrowed(scopes: readonly string[], form: Form): readonly string[] {
  const asked =
    form
      .get('scope')
      ?.split(' ')
      .filter((each) => each !== '') ?? [];
  if (asked.some((each) => !scopes.includes(each))) {
    throw new Refusal(400, 'invalid_scope', 'This is more than the registration may do.');
  }
  return asked.length === 0 ? scopes : scopes.filter((each) => asked.includes(each));
}

function issue(state: State, registration: Registration, scopes: readonly string[]) {
  const value = `at_${secret()}`;
  const unclaimedEnd = registration.claimedAt === undefined ? registration.ends : Infinity;
  const ends = Math.min(state.now() + TOKEN_LIVES, unclaimedEnd);
  state.tokens.set(hashOf(value), { registration, scopes, ends });
  const members = {
    access_token: value,
    token_type: 'Bearer',
    expires_in: Math.floor((ends - state.now()) / SECOND),
    scope: scopes.join(' '),
  };
  return { members };
}

function poll(state: State, claimToken: string): Reply {
  const registration = state.byClaim.get(hashOf(claimToken));
  if (registration === undefined) throw new Refusal(400, 'expired_token', 'No such claim.');
  if (registration.revoked) throw new Refusal(400, 'invalid_grant', 'It was revoked.');
  if (registration.claimedAt !== undefined) return deliver(state, registration);
  const { attempt } = registration;
  if (isClosed(state, registration)) throw new Refusal(400, 'expired_token', 'The claim is over.');
  if (attempt?.denied) throw new Refusal(400, 'access_denied', 'The user said no.');
  if (attempt !== undefined && (isBurnt(attempt) || !isOpen(state, attempt))) {
    throw new Refusal(400, 'expired_token', 'The code has expired. Start a new claim.');
  }
  if (attempt !== undefined) slowDown(state, attempt);
  throw new Refusal(400, 'authorization_pending', 'The user has not decided yet.');
}

function slowDown(state: State, attempt: Attempt): void {
  const { polled, interval } = attempt;
  attempt.polled = state.now();
  if (polled === undefined || state.now() - polled >= (interval - 1) * SECOND) return;
  attempt.interval = Math.min(interval + 5, LONGEST_INTERVAL);
  throw new Refusal(400, 'slow_down', 'Poll less often.', { interval: attempt.interval });
}

/** Hands out what a completed claim gives; for a while again, in place of what was handed out before. */
function deliver(state: State, registration: Registration): Reply {
  const now = state.now();
  const { delivered, claimedAt = now } = registration;
  const isLate = now >= Math.max(registration.ends, claimedAt + HOUR);
  if (delivered === undefined ? isLate : now >= delivered.at + REDELIVERY) {
    throw new Refusal(400, 'invalid_grant', 'What the claim gave was fetched already.');
  }
  const { assertion, expires } =
    delivered ?? assertionFor(state, registration, now + CLAIMED_ASSERTION);
  registration.delivered = { at: delivered?.at ?? now, assertion, expires };
  endTokens(state, registration);
  return json(200, {
    ...issue(state, registration, registration.scopes).members,
    identity_assertion: assertion,
    assertion_expires: new Date(expires).toISOString(),
  });
}

export const revocation: Handler = (call) => {
  const value = required(clientForm(call), 'token');
  if (registrationOf(call.state, value) !== undefined) {
    throw new Refusal(400, 'unsupported_token_type', 'Access tokens alone are revoked here.');
  }
  call.state.tokens.delete(hashOf(value));
  return { status: 200, headers: NO_STORE };
};

/** A resource that needs a scope. */
export const resource =
  (path: string, scope: string): Handler =>
  (call) => {
    const document = `${call.state.origin}/.well-known/oauth-protected-resource${path}`;
    const challenge = (more: string) => `Bearer resource_metadata=${quoted(document)}${more}`;
    const found = bearer(call.state, call.headers.authorization);
    if (found === 'none') {
      const headers = { 'www-authenticate': challenge('') };
      throw new Refusal(401, 'missing_token', 'Send an access token.', {}, headers);
    }
    if (found === 'bad') {
      const headers = { 'www-authenticate': challenge(', error="invalid_token"') };
      throw new Refusal(401, 'invalid_token', 'The access token is not valid.', {}, headers);
    }
    const { registration, scopes } = found;
    if (!scopes.includes(scope)) {
      const more = `, error="insufficient_scope", scope="${scope}"`;
      const headers = { 'www-authenticate': challenge(more) };
      throw new Refusal(403, 'insufficient_scope', `${scope} is needed.`, {}, headers);
    }
    const { email, claimedAt } = registration;
    return json(200, {
      message: scope === WRITE ? 'Written.' : 'Hello.',
      registration_id: registration.id,
      scope: scopes.join(' '),
      user: claimedAt === undefined || email === undefined ? null : { email },
    });
  };

function bearer(state: State, header: string | undefined): AccessToken | 'none' | 'bad' {
  const [scheme = '', value, ...rest] = header?.trim().split(/ +/) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return 'none';
  if (value === undefined || rest.length > 0) return 'bad';
  const found = lookUp(state, hashOf(value));
  if (found === undefined || found.ends <= state.now()) return 'bad';
  return isClosed(state, found.registration) && !state.has('cached-introspection') ? 'bad' : found;
}

function lookUp(state: State, key: string): AccessToken | undefined {
  if (!state.has('cached-introspection')) return state.tokens.get(key);
  const found = state.looked.get(key) ?? state.tokens.get(key);
  if (found !== undefined) state.looked.set(key, found);
  return found;
}
