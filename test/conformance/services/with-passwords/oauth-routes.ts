import { type Context, Hono } from 'hono';
import { formOf, NO_STORE } from './bodies.ts';
import { assertionOf } from './identity-routes.ts';
import type { Registration } from './registrations.ts';
import { LIFE, Refusal, SCOPES, type Site } from './site.ts';

export const GRANTS = [
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:vendor:agent-auth:grant-type:claim',
] as const;

type Form = Readonly<Record<string, string>>;

export function oauthRoutes(site: Site): Hono {
  const app = new Hono();
  app.use('/oauth2/*', async (c, next) => {
    if (c.req.header('authorization') !== undefined)
      throw new Refusal(401, 'invalid_client', 'Clients do not authenticate here.');
    await next();
  });
  app.post('/oauth2/token', async (c) => {
    const form = await publicForm(c);
    const grant = parameter(form, 'grant_type');
    if (grant === GRANTS[0]) return c.json(await exchange(site, form), 200, NO_STORE);
    if (grant === GRANTS[1]) return c.json(await poll(site, form), 200, NO_STORE);
    throw new Refusal(400, 'unsupported_grant_type', 'That grant is not supported.');
  });
  app.post('/oauth2/revoke', async (c) => {
    const token = parameter(await publicForm(c), 'token');
    if ((await site.tokens.read(token)) !== undefined)
      throw new Refusal(400, 'unsupported_token_type', 'Only access tokens can be revoked.');
    site.tokens.revoke(token);
    return c.body(null, 200, NO_STORE);
  });
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error;
    const challenge = error.status === 401 ? { 'WWW-Authenticate': 'Basic realm="none"' } : {};
    const body = { error: error.code, error_description: error.message };
    return c.json(body, error.status, { ...NO_STORE, ...challenge });
  });
  return app;
}

/** Of a public client: what would authenticate it is refused, not ignored (RFC 7523 §3.1). */
async function publicForm(c: Context): Promise<Form> {
  const form = await formOf(c);
  if (form['client_secret'] !== undefined || form['client_assertion'] !== undefined)
    throw new Refusal(401, 'invalid_client', 'Clients do not authenticate here.');
  return form;
}

function parameter(form: Form, name: string): string {
  const value = form[name];
  if (value === undefined || value === '')
    throw new Refusal(400, 'invalid_request', `${name} is missing.`);
  return value;
}

async function exchange(site: Site, form: Form): Promise<object> {
  const registration = await site.tokens.read(parameter(form, 'assertion'));
  if (registration === undefined)
    throw new Refusal(400, 'invalid_grant', 'The assertion is not in force.');
  const state = site.registrations.state(registration);
  const claimed = state === 'claimed';
  const open = ['unclaimed', 'pending', 'lapsed'].includes(state);
  if (!claimed && !(open && registration.type === 'anonymous'))
    throw new Refusal(400, 'invalid_grant', 'The registration is over, or not confirmed yet.');
  return tokenOf(site, registration, form);
}

function tokenOf(site: Site, registration: Registration, form: Form): object {
  const granted = registration.claimed === undefined ? SCOPES.preClaim : registration.scopes;
  const asked = form['scope']?.split(' ').filter((scope) => scope !== '') ?? granted;
  if (asked.length === 0 || asked.some((scope) => !granted.some((known) => known === scope)))
    throw new Refusal(400, 'invalid_scope', 'That scope is beyond what is granted.');
  const resource = resourceOf(site, registration, form['resource']);
  return {
    access_token: site.tokens.issue(registration, asked, resource),
    token_type: 'Bearer',
    expires_in: LIFE.accessToken,
    scope: asked.join(' '),
  };
}

function resourceOf(site: Site, registration: Registration, asked: string | undefined): string {
  const bound = registration.resource ?? site.base;
  if (asked === undefined) return bound;
  const resource = asked === `${site.base}/` ? site.base : asked;
  const known = [site.base, `${site.base}/api/resource`].includes(resource);
  if (!known || !resource.startsWith(bound))
    throw new Refusal(400, 'invalid_target', 'That resource is unknown here.');
  return resource;
}

async function poll(site: Site, form: Form): Promise<object> {
  const registration = site.registrations.byClaimToken(parameter(form, 'claim_token'));
  const over = (code: string) => new Refusal(400, code, 'See the error code.');
  if (registration === undefined) throw over('expired_token');
  const state = site.registrations.state(registration);
  const { attempt } = registration;
  if (state === 'revoked') throw over('invalid_grant');
  if (state === 'expired') throw over('expired_token');
  if (state === 'lapsed') throw over(attempt?.denied ? 'access_denied' : 'expired_token');
  if (state === 'unclaimed') throw over('authorization_pending');
  if (state === 'pending') {
    const early =
      attempt?.polledAt !== undefined &&
      site.now() - attempt.polledAt < (attempt.interval - 1) * 1000;
    if (attempt !== undefined) attempt.polledAt = site.now();
    if (attempt !== undefined && early) attempt.interval = Math.min(60, attempt.interval + 5);
    throw over(early ? 'slow_down' : 'authorization_pending');
  }
  return collect(site, registration);
}

/** Again within the time of redelivery, for an agent that lost the answer: one token lives. */
async function collect(site: Site, registration: Registration): Promise<object> {
  const { collected, claimed } = registration;
  const since = collected?.at ?? claimed?.at ?? 0;
  const until =
    collected === undefined
      ? Math.max(registration.windowEndsAt, since + 3_600_000)
      : since + LIFE.redelivery * 1000;
  if (site.now() >= until) throw new Refusal(400, 'invalid_grant', 'This was collected before.');
  const assertion =
    collected === undefined
      ? JSON.stringify(await assertionOf(site, registration))
      : collected.assertion;
  // Another poll may have come first while the assertion was signed.
  const first = registration.collected;
  if (first !== undefined) site.tokens.revoke(first.accessToken);
  const token = site.tokens.issue(
    registration,
    registration.scopes,
    resourceOf(site, registration, undefined),
  );
  registration.collected = {
    at: first?.at ?? site.now(),
    assertion: first?.assertion ?? assertion,
    accessToken: token,
  };
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: LIFE.accessToken,
    scope: registration.scopes.join(' '),
    ...(JSON.parse(registration.collected.assertion) as object),
  };
}
