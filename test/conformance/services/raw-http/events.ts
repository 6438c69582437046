import { type Handler, json, mediaType, Refusal, type Reply } from './http.ts';
import { subjectOf } from './id-jag.ts';
import { type Claims, isTyped, type Parsed, parseJwt } from './jwt.ts';
import { isFrom } from './keys.ts';
import { isFirst, MINUTE, revoke, SECOND, type State } from './state.ts';

const SKEW = MINUTE / SECOND;
/** How long the `jti` of an event is kept. */
const KEPT = 7 * 24 * 60 * MINUTE;
const REVOKED = '/identity/assertion/revoked';

/** RFC 8935: one event a request. */
export const notify: Handler = async (call) => {
  const { state } = call;
  if (mediaType(call) !== 'application/secevent+jwt') {
    throw new Refusal(415, 'invalid_request', 'Send application/secevent+jwt.');
  }
  const jwt = parseJwt(call.body.trim());
  if (jwt === undefined) refuse('invalid_request', 'The body is not a JWT.');
  const events = checkShape(jwt);
  const { claims } = jwt;
  const provider = state.trust.find(({ issuer }) => issuer === claims['iss']);
  if (provider === undefined) refuse('invalid_issuer', 'This issuer is not trusted here.');
  if (!(await isFrom(state, provider, jwt))) refuse('invalid_key', 'The signature is not right.');
  const audiences: readonly unknown[] = [claims['aud']].flat();
  if (!audiences.includes(state.origin)) refuse('invalid_audience', 'It is for somebody else.');
  const known = Object.keys(events).filter((uri) => uri.endsWith(REVOKED));
  if (known.length === 0) return accepted();
  const subject = subjectIn(state, claims);
  const id = JSON.stringify(['event', claims['iss'], claims['jti']]);
  if (isFirst(state, id, state.now() + KEPT)) takeBack(state, subject, instantOf(state, claims));
  return accepted();
};

/** What an event refuses is said in the members of RFC 8935 §2.3. */
export function refusedEvent({ status, code, message, headers }: Refusal): Reply {
  const language = { 'content-language': 'en', 'cache-control': 'no-store' };
  return json(status, { err: code, description: message }, { ...language, ...headers });
}

function accepted(): Reply {
  return { status: 202, headers: { 'cache-control': 'no-store' } };
}

function checkShape(jwt: Parsed): Claims {
  if (!isTyped(jwt, 'secevent+jwt')) refuse('invalid_request', 'The JWT is no event.');
  if ('crit' in jwt.header || 'b64' in jwt.header) refuse('invalid_request', 'Not supported.');
  const { iss, iat, jti, events } = jwt.claims;
  if (typeof iss !== 'string' || typeof iat !== 'number' || typeof jti !== 'string' || jti === '') {
    refuse('invalid_request', 'iss, iat and jti are needed.');
  }
  if (typeof events !== 'object' || events === null || Array.isArray(events)) {
    refuse('invalid_request', 'events has to be an object.');
  }
  if (Object.keys(events).length === 0) refuse('invalid_request', 'There is no event in it.');
  return events as Claims;
}

/** The subject, however it is written, of the issuer that sent the event. */
function subjectIn(state: State, claims: Claims): string {
  const { iss, sub, sub_id: id } = claims;
  const ids: unknown[] = sub === undefined ? [] : [sub];
  if (id !== undefined) {
    const {
      format,
      iss: of,
      sub: inside,
    } = (typeof id === 'object' && id !== null ? id : {}) as Record<string, unknown>;
    if (format !== 'iss_sub') refuse('invalid_request', 'sub_id has another format.');
    if (state.has('event-of-other')) return subjectOf(state, { ...claims, iss: of, sub: inside });
    if (of !== iss) refuse('access_denied', 'The subject is of another issuer.');
    ids.push(inside);
  }
  const [first] = ids;
  if (typeof first !== 'string' || first === '' || ids.some((each) => each !== first)) {
    refuse('invalid_request', 'The event names no subject, or two.');
  }
  return subjectOf(state, { ...claims, sub: first });
}

/** Up to when the event takes back, in seconds: never in the future. */
function instantOf({ now }: State, { toe, iat }: Claims): number {
  const said = typeof toe === 'number' ? toe : Number(iat);
  return Math.min(said, now() / SECOND + SKEW);
}

function takeBack(state: State, subject: string, upTo: number): void {
  const before = state.takenBack.get(subject) ?? Number.NEGATIVE_INFINITY;
  state.takenBack.set(subject, Math.max(before, upTo));
  for (const registration of state.registrations.values()) {
    if (registration.subject !== subject || registration.vouchedAt > upTo) continue;
    revoke(state, registration);
    forget(state, registration.email);
  }
}

/** An account that an ID-JAG made and nobody has seen goes with its last registration. */
function forget(state: State, email: string | undefined): void {
  if (email === undefined || state.users.get(email) !== 'provisioned') return;
  const live = [...state.registrations.values()].filter((each) => !each.revoked);
  if (!live.some((each) => each.email === email)) state.users.delete(email);
}

function refuse(code: string, message: string): never {
  throw new Refusal(400, code, message);
}
