import { randomInt } from 'node:crypto';
import {
  html,
  json,
  Problem,
  page,
  randomText,
  readEmail,
  readForm,
  readJson,
  type Session,
  sameText,
} from '../support.ts';
import { findByClaimToken, keyOf, type Registration, type Service } from './service.ts';
import { isOwnForm, loginFirst } from './sign-in.ts';

const CODE_WINDOW = 10 * 60_000;
const WRONG_CODES = 5;
/** On one registration, whatever attempts are opened for it. */
const WRONG_CODES_IN_ALL = 20;
const INTERVAL_SECONDS = 5;

/** A fresh code; the one before is void. */
export function openAttempt(service: Service, registration: Registration) {
  const attempt = {
    token: `cvt_${randomText()}`,
    userCode: String(randomInt(1_000_000)).padStart(6, '0'),
    until: service.now() + CODE_WINDOW,
    wrongCodes: 0,
  };
  registration.attempt = attempt;
  return {
    user_code: attempt.userCode,
    verification_uri: `${service.origin}/claim?attempt=${attempt.token}`,
    expires_in: CODE_WINDOW / 1000,
    interval: INTERVAL_SECONDS,
  };
}

/** POST /agent/identity/claim: the first code of an anonymous registration, or a fresh one. */
export async function startClaim(service: Service, request: Request): Promise<Response> {
  const body = await readJson(request);
  const email = readEmail(body['email']);
  if (typeof body['claim_token'] !== 'string' || email === undefined) {
    throw new Problem(400, 'invalid_request', 'claim_token and email are needed.');
  }
  const registration = findByClaimToken(service, body['claim_token']);
  if (registration === undefined || registration.status === 'revoked') {
    throw new Problem(400, 'invalid_claim_token', 'The claim token is unknown.');
  }
  if (registration.status !== 'unclaimed') {
    throw new Problem(409, 'claimed_or_in_flight', 'The claim is decided already.');
  }
  if (registration.claimUntil <= service.now()) {
    throw new Problem(410, 'claim_expired', 'The time to claim this registration is over.');
  }
  if (registration.email !== undefined && registration.email !== email) {
    throw new Problem(400, 'invalid_request', 'The claim is for another email.');
  }
  if (registration.wrongCodes >= WRONG_CODES_IN_ALL) {
    throw new Problem(429, 'too_many_attempts', 'Too many wrong codes were tried.');
  }
  registration.email = email;
  return json(200, {
    registration_id: registration.id,
    claim_attempt: openAttempt(service, registration),
  });
}

/** GET /claim */
export function showClaim(service: Service, request: Request): Response {
  const session = service.sessions.find(request);
  const { pathname, search, searchParams } = new URL(request.url);
  if (session?.email === undefined) return loginFirst(`${pathname}${search}`);
  const registration = findByAttempt(service, searchParams.get('attempt') ?? undefined);
  if (registration === undefined) return overPage();
  if (!mayComplete(service, registration, session)) return otherAccountPage();
  return claimPage(200, registration, session, '');
}

/** POST /agent/identity/claim/complete, and /deny where the answer is no. */
export async function approveOrDeny(
  service: Service,
  request: Request,
  answer: 'yes' | 'no',
): Promise<Response> {
  const form = await readForm(request);
  const session = service.sessions.find(request);
  if (session?.email === undefined) return page(401, 'Sign in first', html``, signInChallenge);
  if (!isOwnForm(service, request, form, session)) {
    return page(403, 'This form is not ours', html`<p>Open the page of the claim again.</p>`);
  }
  const registration = findByAttempt(service, form.get('claim_attempt_token'));
  if (registration === undefined) return overPage();
  if (!mayComplete(service, registration, session)) return otherAccountPage();
  if (answer === 'no') return deny(registration);
  return enterCode(service, registration, session, form.get('user_code'));
}

function enterCode(
  service: Service,
  registration: Registration,
  session: Session,
  code: string | undefined,
): Response {
  const { attempt } = registration;
  if (attempt === undefined || session.email === undefined) return overPage();
  if (!sameText(code?.replaceAll(/[\s-]/g, ''), attempt.userCode)) {
    if (!service.has('uncounted-codes')) {
      attempt.wrongCodes += 1;
      registration.wrongCodes += 1;
    }
    if (attempt.wrongCodes >= WRONG_CODES) return overPage();
    return claimPage(400, registration, session, 'That is not the code.');
  }
  registration.status = 'claimed';
  registration.email = session.email;
  registration.version += 1;
  delete registration.attempt;
  if (registration.user !== undefined) {
    service.links.set(keyOf(registration.user.iss, registration.user.sub), session.email);
  }
  return page(200, 'Done', html`<p>The agent now acts for you. You may close this page.</p>`);
}

function deny(registration: Registration): Response {
  registration.status = 'denied';
  delete registration.attempt;
  return page(200, 'Refused', html`<p>You denied the claim.</p>`);
}

function mayComplete(service: Service, registration: Registration, session: Session): boolean {
  return service.has('any-account') || registration.email === session.email;
}

function findByAttempt(service: Service, token: string | undefined): Registration | undefined {
  return [...service.registrations.values()].find(
    ({ attempt, status, claimUntil }) =>
      attempt !== undefined &&
      status === 'unclaimed' &&
      sameText(token, attempt.token) &&
      attempt.wrongCodes < WRONG_CODES &&
      Math.min(attempt.until, claimUntil) > service.now(),
  );
}

/** Whether a code can be entered now. */
export function isAttemptOver(service: Service, { attempt, claimUntil }: Registration): boolean {
  if (claimUntil <= service.now()) return true;
  return (
    attempt !== undefined && (attempt.until <= service.now() || attempt.wrongCodes >= WRONG_CODES)
  );
}

/** RFC 9110 §15.5.2 wants one with every 401. */
const signInChallenge = { 'WWW-Authenticate': 'Cookie realm="pages"' };

function overPage(): Response {
  return page(
    410,
    'Over',
    html`<p>This code is used up or too old. Ask the agent for another.</p>`,
  );
}

function otherAccountPage(): Response {
  return page(403, 'Another account', html`<p>This claim is not meant for your account.</p>`);
}

function claimPage(
  status: number,
  registration: Registration,
  session: Session,
  hint: string,
): Response {
  const hidden = html`<input type="hidden" name="csrf" value="${session.csrf}">
<input type="hidden" name="claim_attempt_token" value="${registration.attempt?.token ?? ''}">`;
  return page(
    status,
    'An agent wants to act for you',
    html`<p role="alert">${hint}</p>
<p>Signed in as ${session.email ?? ''}. It will be able to read and write. Go on only if you started it.</p>
<form method="post" action="/agent/identity/claim/complete">${hidden}
<label>Code shown by the agent <input name="user_code" required autocomplete="off"></label>
<button>Allow</button></form>
<form method="post" action="/agent/identity/claim/deny">${hidden}<button>Deny</button></form>`,
  );
}
