/**
 * A right provider that is one tenant of a host: its issuer has a path. It limits wrong codes and sign-ins, signs
 * with EdDSA, and refuses whatever it does not know. Hono and zod; no controls, no clock to move.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { Accounts, DEVICE_SECONDS, secret } from './tenant/accounts.ts';
import { Outbox } from './tenant/outbox.ts';
import { pagesOf } from './tenant/pages.ts';
import { findService, isAudience, isProtectedBy } from './tenant/service.ts';

const CLIENT = 'agent-auth';
const BASE = '/t/acme';
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const OLDEST_SIGN_IN = 3600;
const ID_JAG_SECONDS = 300;

type Form = ReadonlyMap<string, string>;

/** An OAuth error (RFC 6749 §5.2). */
class Refusal extends Error {
  readonly code: string;
  readonly status: 400 | 401 | 415;
  readonly more: object;

  constructor(code: string, message: string, status: 400 | 401 | 415 = 400, more: object = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.more = more;
  }
}

async function makeSigner(issuer: string, now: () => number) {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519');
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    keySet: { keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig' }] },
    sign: (typ: string, claims: JWTPayload) =>
      new SignJWT({ iss: issuer, iat: Math.floor(now() / 1000), jti: secret(), ...claims })
        .setProtectedHeader({ alg: 'EdDSA', typ, kid })
        .sign(privateKey),
    readIdToken: async (token: string) => {
      const { payload } = await jwtVerify(token, publicKey, {
        issuer,
        audience: CLIENT,
        typ: 'JWT',
        algorithms: ['EdDSA'],
        requiredClaims: ['exp', 'auth_time', 'email'],
        currentDate: new Date(now()),
      });
      return { email: String(payload['email']), authTime: Number(payload['auth_time']) };
    },
  };
}

/** `application/x-www-form-urlencoded`, each parameter once, from the one public client. */
async function readForm(c: Context): Promise<Form> {
  if (c.req.header('authorization') !== undefined) {
    throw new Refusal('invalid_client', 'The client has no secret.', 401);
  }
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type)) {
    throw new Refusal('invalid_request', 'A form is wanted.', 415);
  }
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await c.req.text())) {
    if (form.has(name)) throw new Refusal('invalid_request', 'A parameter was sent twice.');
    form.set(name, value);
  }
  if (form.get('client_id') !== CLIENT || form.has('client_secret') || form.has('client_assertion'))
    throw new Refusal('invalid_client', 'The client is not known.', 401);
  return form;
}

function need(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined || value === '')
    throw new Refusal('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

export async function startTenant(options: { readonly now?: () => number } = {}) {
  const now = options.now ?? Date.now;
  const host = new Hono();
  const server = createAdaptorServer({ fetch: host.fetch, overrideGlobalObjects: false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outbox = new Outbox(now);
  await fill(host, { origin, now, outbox });
  return {
    url: `${origin}${BASE}`,
    consentsPage: `${origin}${BASE}/consents`,
    close: async () => {
      await outbox.close();
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface World {
  readonly origin: string;
  readonly now: () => number;
  readonly outbox: Outbox;
}

async function fill(host: Hono, { origin, now, outbox }: World): Promise<void> {
  const issuer = `${origin}${BASE}`;
  const accounts = new Accounts(now);
  const signer = await makeSigner(issuer, now);
  const seconds = () => Math.floor(now() / 1000);

  const end = async (email: string, audience: string) => {
    const consent = accounts.consentOf(email, audience);
    if (consent === undefined) return { audience, revoked: false, event: 'none' };
    accounts.consents.delete(consent.key);
    const { events } = consent.service;
    const sub = accounts.subjectOf(email);
    const token = await signer.sign('secevent+jwt', {
      aud: audience,
      toe: seconds(),
      sub_id: { format: 'iss_sub', iss: issuer, sub },
      sub,
      events: { [events?.type ?? '']: {} },
    });
    return { audience, revoked: true, event: await outbox.send(events, token) };
  };

  const subjectOf = async (form: Form) => {
    if (need(form, 'subject_token_type') !== ID_TOKEN)
      throw new Refusal('invalid_request', 'The subject token has to be an ID token.');
    return signer.readIdToken(need(form, 'subject_token')).catch(() => {
      throw new Refusal('invalid_grant', 'This ID token is not ours, or over.');
    });
  };

  const poll = async (form: Form) => {
    const device = accounts.devices.get(need(form, 'device_code'));
    if (device === undefined) throw new Refusal('invalid_grant', 'This device code is not known.');
    if (device.until <= now()) throw new Refusal('expired_token', 'The code is over.');
    const { decision } = device;
    if (decision === 'denied') throw new Refusal('access_denied', 'The user said no.');
    if (decision === undefined) {
      const isEarly = now() - device.polledAt < (device.interval - 1) * 1000;
      device.polledAt = now();
      if (isEarly) device.interval += 5;
      throw new Refusal(isEarly ? 'slow_down' : 'authorization_pending', 'Not yet.');
    }
    accounts.devices.delete(device.deviceCode);
    const { email, signedInAt } = decision;
    const idToken = await signer.sign('JWT', {
      aud: CLIENT,
      sub: accounts.subjectOf(email),
      exp: seconds() + 8 * 3600,
      auth_time: Math.floor(signedInAt / 1000),
      email,
      email_verified: true,
    });
    const token = { access_token: secret(), token_type: 'Bearer', expires_in: 3600 };
    return { ...token, id_token: idToken, scope: 'openid email' };
  };

  const mint = async (form: Form) => {
    if (need(form, 'requested_token_type') !== ID_JAG)
      throw new Refusal('invalid_request', 'ID-JAGs alone are issued.');
    if (form.has('actor_token') || form.has('actor_token_type'))
      throw new Refusal('invalid_request', 'No actor is taken.');
    const audience = need(form, 'audience');
    const { authTime, email } = await subjectOf(form);
    const service = isAudience(audience) && audience !== issuer && (await findService(audience));
    if (!service) throw new Refusal('invalid_target', 'The audience takes no ID-JAGs.');
    const resource = form.get('resource');
    if (resource !== undefined && !(await isProtectedBy(resource, audience)))
      throw new Refusal('invalid_target', 'The resource does not name the audience.');
    const scopes = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
    if (scopes.some((scope) => !service.scopes.includes(scope)))
      throw new Refusal('invalid_scope', 'The audience has no such scope.');
    if (seconds() - authTime > OLDEST_SIGN_IN) {
      const more = { max_age: OLDEST_SIGN_IN };
      throw new Refusal('insufficient_user_authentication', 'Sign in again.', 400, more);
    }
    const consent = accounts.consentOf(email, audience);
    if (consent === undefined || scopes.some((scope) => !consent.scopes.includes(scope))) {
      const wish = secret();
      accounts.wishes.set(wish, { email, service, scopes });
      const more = { consent_uri: `${issuer}/consents/new/${wish}` };
      throw new Refusal('consent_required', 'The user has to agree first.', 400, more);
    }
    const granted = scopes.length > 0 ? { scope: scopes.join(' ') } : {};
    const idJag = await signer.sign('oauth-id-jag+jwt', {
      aud: audience,
      sub: accounts.subjectOf(email),
      client_id: `${issuer}/agent-auth.json`,
      exp: seconds() + ID_JAG_SECONDS,
      auth_time: authTime,
      email,
      email_verified: true,
      ...(resource !== undefined && { resource }),
      ...granted,
    });
    const type = { issued_token_type: ID_JAG, token_type: 'N_A', expires_in: ID_JAG_SECONDS };
    return { access_token: idJag, ...type, ...granted };
  };

  const startDevice = async (form: Form) => {
    const maxAge = form.get('max_age');
    if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge))
      throw new Refusal('invalid_request', 'max_age is a number of seconds.');
    const prompts = (form.get('prompt') ?? '').split(' ');
    const oldest = maxAge === undefined ? 0 : now() - Number(maxAge) * 1000;
    const device = accounts.startDevice(prompts.includes('login') ? now() : oldest);
    const user = { user_code: device.userCode, verification_uri: `${issuer}/device` };
    const complete = `${issuer}/device?user_code=${device.userCode}`;
    const times = { expires_in: DEVICE_SECONDS, interval: device.interval };
    return {
      device_code: device.deviceCode,
      ...user,
      verification_uri_complete: complete,
      ...times,
    };
  };

  const api = (path: string, handle: (form: Form) => Promise<object>) => {
    host.post(path, async (c) => {
      c.header('Cache-Control', 'no-store');
      c.header('Pragma', 'no-cache');
      try {
        return c.json(await handle(await readForm(c)));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { code, message, more, status } = error;
        return c.json({ error: code, error_description: message, ...more }, status);
      }
    });
    host.all(path, (c) => c.json({ error: 'invalid_request' }, 405, { Allow: 'POST' }));
  };
  const publish = (path: string, document: object) =>
    host.get(path, (c) => {
      c.header('Cache-Control', 'public, max-age=300');
      c.header('Access-Control-Allow-Origin', '*');
      return c.json(document);
    });

  const metadata = metadataOf(issuer);
  host.use(bodyLimit({ maxSize: 32 * 1024 }));
  publish(`/.well-known/oauth-authorization-server${BASE}`, metadata);
  publish(`${BASE}/.well-known/openid-configuration`, metadata);
  publish(`${BASE}/.well-known/jwks.json`, signer.keySet);
  publish(`${BASE}/agent-auth.json`, clientOf(issuer));
  api(`${BASE}/device/start`, startDevice);
  api(`${BASE}/token`, (form) => {
    const grant = need(form, 'grant_type');
    if (grant === DEVICE) return poll(form);
    if (grant === EXCHANGE) return mint(form);
    throw new Refusal('unsupported_grant_type', 'This grant is not known.');
  });
  api(`${BASE}/consents/end`, async (form) => {
    const { email } = await subjectOf(form);
    return end(email, need(form, 'audience'));
  });
  host.route(BASE, pagesOf({ accounts, origin, base: BASE, end }));
}

function metadataOf(issuer: string) {
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device/start`,
    consent_revocation_endpoint: `${issuer}/consents/end`,
    grant_types_supported: [DEVICE, EXCHANGE],
    response_types_supported: [],
    scopes_supported: ['openid', 'email'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
    token_endpoint_auth_methods_supported: ['none'],
    identity_chaining_requested_token_types_supported: [ID_JAG],
  };
}

function clientOf(issuer: string) {
  return {
    client_id: `${issuer}/agent-auth.json`,
    client_name: 'Acme agents',
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer', EXCHANGE],
    response_types: [],
    token_endpoint_auth_method: 'none',
  };
}
