import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { jsonOf, NO_STORE, required, stringIn } from './bodies.ts';
import { type IdJagDesk, readIdJag } from './id-jags.ts';
import type { Registration } from './registrations.ts';
import { emailOf, Refusal, SCOPES, type Site } from './site.ts';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

export function identityRoutes(site: Site, desk: IdJagDesk): Hono {
  const app = new Hono();
  app.post('/agent/identity', async (c) => {
    const body = await jsonOf(c);
    const type = required(body, 'type');
    if (type === 'anonymous') return answer(c, 200, await registerAnonymously(site));
    if (type === 'service_auth') {
      return answer(c, 200, registerEmail(site, stringIn(body, 'login_hint')));
    }
    if (type === 'identity_assertion') return registerIdJag(site, desk, c, body);
    throw new Refusal(400, 'invalid_request', 'That type is not supported.');
  });
  app.post('/agent/identity/claim', async (c) => {
    const body = await jsonOf(c);
    return answer(c, 200, openAttempt(site, body));
  });
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, members } = error;
    return refuse(c, status, { error: code, error_description: message, message, ...members });
  });
  return app;
}

async function registerAnonymously(site: Site): Promise<object> {
  const registration = site.registrations.create('anonymous', SCOPES.claimed);
  return {
    registration_id: registration.id,
    registration_type: registration.type,
    ...(await assertionOf(site, registration)),
    pre_claim_scopes: SCOPES.preClaim,
    ...claimable(site, registration),
  };
}

function registerEmail(site: Site, hint: string | undefined): object {
  if (hint === undefined) throw new Refusal(400, 'invalid_request', 'login_hint is missing.');
  const email = emailOf(hint);
  if (email === undefined)
    throw new Refusal(400, 'invalid_login_hint', 'login_hint is no email address.');
  // The same answer whether somebody here has it or not.
  const registration = site.registrations.create('service_auth', SCOPES.claimed);
  registration.email = email;
  return {
    registration_id: registration.id,
    registration_type: registration.type,
    ...claimable(site, registration),
    claim: claimOf(site, registration),
  };
}

async function registerIdJag(
  site: Site,
  desk: IdJagDesk,
  c: Context,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const type = stringIn(body, 'assertion_type');
  if (type !== undefined && type !== ID_JAG)
    throw new Refusal(400, 'invalid_request', 'That assertion_type is not supported.');
  const signed = await site.providers.verify(required(body, 'assertion'), 'oauth-id-jag+jwt');
  const { registration, claimToken } = desk.accept(readIdJag(site, signed));
  const { id, type: registrationType } = registration;
  const head = { registration_id: id, registration_type: registrationType };
  if (claimToken === undefined)
    return answer(c, 200, {
      ...head,
      ...(await assertionOf(site, registration)),
      scopes: registration.scopes,
    });
  const description = 'Somebody has an account with this email: they have to confirm the link.';
  return refuse(c, 401, {
    error: 'interaction_required',
    error_description: description,
    message: description,
    ...head,
    ...claimable(site, registration, claimToken),
    claim: claimOf(site, registration),
  });
}

function openAttempt(site: Site, body: Readonly<Record<string, unknown>>): object {
  const registration = site.registrations.byClaimToken(required(body, 'claim_token'));
  const typed = stringIn(body, 'email') ?? stringIn(body, 'login_hint');
  if (registration === undefined)
    throw new Refusal(401, 'invalid_claim_token', 'That claim token is unknown.');
  const state = site.registrations.state(registration);
  if (state === 'claimed') throw new Refusal(409, 'claimed_or_in_flight', 'It is claimed already.');
  if (state === 'revoked' || state === 'expired')
    throw new Refusal(410, 'claim_expired', 'The time to claim it is over.');
  const email = typed === undefined ? registration.email : emailOf(typed);
  if (email === undefined) throw new Refusal(400, 'invalid_request', 'email is no email address.');
  if (registration.type !== 'anonymous' && email !== registration.email)
    throw new Refusal(403, 'email_mismatch', 'It was registered for another email.');
  const attempt = claimOf(site, registration);
  registration.email = email;
  return {
    registration_id: registration.id,
    status: 'initiated',
    expires_at: new Date(registration.attempt?.endsAt ?? site.now()).toISOString(),
    claim_attempt: attempt,
  };
}

function claimable(site: Site, registration: Registration, token?: string): object {
  return {
    claim_url: `${site.base}/agent/identity/claim`,
    claim_token: token ?? site.registrations.giveClaimToken(registration),
    claim_token_expires: new Date(registration.windowEndsAt).toISOString(),
    post_claim_scopes: registration.scopes,
  };
}

function claimOf(site: Site, registration: Registration): object {
  const { token, attempt } = site.registrations.open(registration);
  return {
    user_code: attempt.code,
    verification_uri: `${site.base}/claim/${token}`,
    expires_in: Math.floor((attempt.endsAt - site.now()) / 1000),
    interval: attempt.interval,
  };
}

export async function assertionOf(site: Site, registration: Registration): Promise<object> {
  const { assertion, endsAt } = await site.tokens.assert(registration);
  return { identity_assertion: assertion, assertion_expires: new Date(endsAt).toISOString() };
}

function answer(c: Context, status: ContentfulStatusCode, body: object): Response {
  return c.json(body, status, NO_STORE);
}

function refuse(
  c: Context,
  status: ContentfulStatusCode,
  body: Readonly<Record<string, unknown>> & { readonly error: string },
): Response {
  const challenge = status === 401 ? { 'WWW-Authenticate': `AgentAuth error="${body.error}"` } : {};
  const later = status === 503 ? { 'Retry-After': '5' } : {};
  return c.json(body, status, { ...NO_STORE, ...challenge, ...later });
}
