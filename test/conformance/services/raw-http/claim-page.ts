import { isBurnt, isOpen, tryCode } from './attempts.ts';
import {
  type Call,
  type Handler,
  json,
  jsonBody,
  mediaType,
  objectIn,
  Refusal,
  type Reply,
} from './http.ts';
import { hidden, html, nameOf, ownForm, page, redirect, type Visit, visitOf } from './pages.ts';
import { type Attempt, endTokens, hashOf, isSame, type Registration, type State } from './state.ts';

/** How far a visitor comes with a link: to the claim, or to an answer that says why not. */
type Way =
  | { readonly registration: Registration; readonly attempt: Attempt }
  | { readonly status: number; readonly code: string; readonly message: string };

const stop = (status: number, code: string, message: string): Way => ({ status, code, message });

function wayTo(state: State, token: string, email: string): Way {
  const key = hashOf(token);
  const registration = state.byAttempt.get(key);
  const attempt = registration?.attempt;
  if (registration === undefined || attempt === undefined || attempt.key !== key) {
    return stop(
      404,
      'invalid_claim_attempt',
      'This link is not known, or a newer one has replaced it.',
    );
  }
  if (registration.email !== email) {
    const bound = (registration.email ?? '').replace(/^(.).*(@.*)$/, '$1***$2');
    return stop(403, 'wrong_account', `This is for ${bound}: sign in with that account.`);
  }
  if (registration.revoked) return stop(410, 'claim_expired', 'The registration was ended.');
  if (registration.claimedAt !== undefined) return { registration, attempt };
  if (registration.ends <= state.now())
    return stop(410, 'claim_expired', 'The time to claim is over.');
  if (isBurnt(attempt)) return stop(429, 'too_many_attempts', 'Too many wrong codes were typed.');
  if (!isOpen(state, attempt) && !attempt.denied) {
    return stop(
      410,
      'claim_attempt_expired',
      'The code has expired. The agent can start a new claim.',
    );
  }
  return { registration, attempt };
}

function wrongWay(
  way: Exclude<Way, { registration: Registration }>,
  call: Call,
  visit: Visit,
  token: string,
): Reply {
  const isJson = wantsJson(call);
  if (isJson) throw new Refusal(way.status, way.code, way.message);
  const back = `/claim?claim_attempt_token=${token}`;
  const leave =
    way.code === 'wrong_account'
      ? `<form method="post" action="/logout">${hidden('csrf_token', visit.session.csrf)}${hidden('return_to', back)}
<button type="submit">Use another account</button></form>`
      : '';
  return page(way.status, 'This does not work', `<p>${html(way.message)}</p>${leave}`);
}

function wantsJson(call: Call): boolean {
  if (call.method === 'POST') return mediaType(call) === 'application/json';
  return (call.headers.accept ?? '').startsWith('application/json');
}

export const showClaim: Handler = (call) => {
  const token = call.query.get('claim_attempt_token') ?? '';
  const visit = visitOf(call);
  if (visit?.session.email === undefined) return toLogin(call, token);
  const way = wayTo(call.state, token, visit.session.email);
  if ('status' in way) return wrongWay(way, call, visit, token);
  const { registration, attempt } = way;
  if (registration.claimedAt !== undefined) return done('claimed', registration, call);
  if (attempt.denied) return done('denied', registration, call);
  const { csrf, email } = visit.session;
  if (wantsJson(call)) {
    const { kind, scopes } = registration;
    return json(200, { registration_type: kind, scopes, csrf_token: csrf });
  }
  return claimForm(token, registration, email, csrf, '');
};

function claimForm(
  token: string,
  registration: Registration,
  email: string,
  csrf: string,
  note: string,
  status = 200,
): Reply {
  return page(
    status,
    'Let an agent act for you?',
    `${note}<p>Signed in as <strong>${html(email)}</strong>.</p>
<p>${html(nameOf(registration))} asks to act for you: ${html(registration.scopes.join(', '))}.
Approve only if you started this, and the code is the one that your agent shows.</p>
<form method="post" action="/agent/identity/claim/complete">${hidden('csrf_token', csrf)}${hidden('claim_attempt_token', token)}
<label>Code <input name="user_code" inputmode="numeric" autocomplete="off"></label>
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="deny">Deny</button></form>
<form method="post" action="/logout">${hidden('csrf_token', csrf)}${hidden('return_to', `/claim?claim_attempt_token=${token}`)}
<button type="submit">Use another account</button></form>`,
  );
}

function toLogin(call: Call, token: string): Reply {
  if (wantsJson(call)) throw new Refusal(401, 'login_required', 'Sign in first.');
  const target = `/claim?claim_attempt_token=${encodeURIComponent(token)}`;
  return redirect(`/login?return_to=${encodeURIComponent(target)}`);
}

function done(status: 'claimed' | 'denied', registration: Registration, call: Call): Reply {
  if (wantsJson(call)) return json(200, { status, registration_id: registration.id });
  const said =
    status === 'claimed' ? 'The agent can act for you now.' : 'The agent gets no access.';
  return page(
    200,
    status === 'claimed' ? 'Approved' : 'Denied',
    `<p>${said} You can close this page.</p>`,
  );
}

interface Completion {
  readonly visit: Visit;
  readonly value: (name: string) => string;
}

export const complete: Handler = (call) => {
  const signedIn = visitOf(call);
  if (signedIn?.session.email === undefined) return toLogin(call, '');
  const isForm = mediaType(call) === 'application/x-www-form-urlencoded';
  if (call.state.has('csrf-skipped-for-other-types') && !isForm) {
    return finish(call, { visit: signedIn, value: memberOf(objectIn(call.body)) });
  }
  return finish(call, wantsJson(call) ? completionInJson(call, signedIn) : completionInForm(call));
};

/** With the bug `approve-by-get`: the completion reads the query. */
export const completeByAddress: Handler = (call) => {
  const visit = visitOf(call);
  if (visit?.session.email === undefined) return toLogin(call, '');
  return finish(call, { visit, value: (name) => call.query.get(name) ?? '' });
};

function finish(call: Call, { visit, value }: Completion): Reply {
  const token = value('claim_attempt_token');
  if (token === '') throw new Refusal(400, 'invalid_request', 'claim_attempt_token is missing.');
  const way = wayTo(call.state, token, visit.session.email ?? '');
  if ('status' in way) return wrongWay(way, call, visit, token);
  return decide(call, way, { visit, value });
}

function completionInForm(call: Call): Completion {
  const { visit, form } = ownForm(call);
  return { visit, value: (name) => form.get(name) ?? '' };
}

function completionInJson(call: Call, visit: Visit): Completion {
  const { origin, 'x-csrf-token': header } = call.headers;
  const value = memberOf(jsonBody(call));
  const proof = typeof header === 'string' ? header : value('csrf_token');
  const isOwn = origin === undefined || origin === call.state.origin;
  if (!isOwn || !isSame(proof, visit.session.csrf)) {
    throw new Refusal(403, 'csrf_failed', 'This request is not of a page of ours.');
  }
  return { visit, value };
}

const memberOf =
  (body: Readonly<Record<string, unknown>>) =>
  (name: string): string => {
    const given = Object.hasOwn(body, name) ? body[name] : '';
    if (typeof given === 'string') return given;
    throw new Refusal(400, 'invalid_request', `${name} has to be a string.`);
  };

function decide(
  call: Call,
  way: Extract<Way, { registration: Registration }>,
  { visit, value }: Completion,
): Reply {
  const { registration, attempt } = way;
  const { state } = call;
  const isDenial = value('decision') === 'deny';
  if (registration.claimedAt !== undefined) {
    if (!isDenial) return done('claimed', registration, call);
    return problem(
      call,
      409,
      'already_claimed',
      'It is claimed already. You can end it under /connections.',
    );
  }
  if (attempt.denied) {
    if (isDenial) return done('denied', registration, call);
    return problem(
      call,
      410,
      'claim_attempt_expired',
      'It was denied. The agent can start a new claim.',
    );
  }
  if (isDenial) {
    attempt.denied = true;
    return done('denied', registration, call);
  }
  const counts = state.has('tries-per-session') ? [visit.session] : [attempt, registration];
  const left = tryCode(state, attempt, value('user_code'), counts);
  if (left !== undefined)
    return wrongCode(call, way.registration, visit, value('claim_attempt_token'), left);
  endTokens(state, registration);
  registration.claimedAt = state.now();
  registration.version = 2;
  return done('claimed', registration, call);
}

function wrongCode(
  call: Call,
  registration: Registration,
  visit: Visit,
  token: string,
  left: number,
): Reply {
  const message = `This code is not right. ${left} tries are left.`;
  if (wantsJson(call)) {
    throw new Refusal(400, 'invalid_user_code', message, { attempts_remaining: left });
  }
  if (left === 0) return problem(call, 400, 'invalid_user_code', message);
  const { email = '', csrf } = visit.session;
  return claimForm(token, registration, email, csrf, `<p role="alert">${message}</p>`, 400);
}

function problem(call: Call, status: number, code: string, message: string): Reply {
  if (wantsJson(call)) throw new Refusal(status, code, message);
  return page(status, 'This does not work', `<p>${html(message)}</p>`);
}
